"""What the two dice games at the worm grill share: the dice set aside, the tiles, rolls, ranks and their schemas."""
