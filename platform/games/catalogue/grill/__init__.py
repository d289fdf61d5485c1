"""Code that Pickomino and Heckmeck share: the dice set aside, tiles, rolls, ranks and their schemas."""
