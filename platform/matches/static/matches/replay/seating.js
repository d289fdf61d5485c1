/** Who sits where: from game to game everyone moves on by one place, so that luck and order cancel out. */

const LETTERS = "ABCDEFG";

/** The seats of the match, [{seat, letter, name}], in its own order. */
export const matchSeats = (data) =>
  data.seats.map(({ name, version }, seat) => ({ seat, letter: LETTERS[seat], name, version }));

/** The same in table order of game `game`: the position that frames speak of. */
export const tableSeats = (seats, game) => seats.map((_, position) => seats[(position + game) % seats.length]);
