/** Sentences in the second person, as pairs [about anybody, to you]. */

import { gettext, ngettext } from "../../i18n.js";

export const yours = () => [
  [gettext("%(name)s with %(total)s takes %(portion)s"), gettext("you with %(total)s take %(portion)s")],
  [gettext("%(name)s passes with %(total)s and steals portion %(portion)s from %(other)s."), gettext("You pass with %(total)s and steal portion %(portion)s from %(other)s.")],
  [gettext("%(name)s passes without a worm and takes the lowest portion, %(portion)s."), gettext("You pass without a worm and take the lowest portion, %(portion)s.")],
  [gettext("%(name)s passes with %(total)s."), gettext("You pass with %(total)s.")],
  [gettext("%(name)s plays no more worms."), gettext("You play no more worms.")],
  [gettext("%(name)s plays worm number %(tag)s and has %(total)s."), gettext("You play worm number %(tag)s and have %(total)s.")],
  ...[1, 2].map((count) => [
    ngettext("%(name)s plays one %(face)s and has %(total)s.", "%(name)s plays %(count)s cards of %(face)s and has %(total)s.", count),
    ngettext("You play one %(face)s and have %(total)s.", "You play %(count)s cards of %(face)s and have %(total)s.", count),
  ]),
  [gettext("%(name)s draws worm number %(tag)s."), gettext("You draw worm number %(tag)s.")],
  [gettext("%(name)s draws a %(face)s."), gettext("You draw a %(face)s.")],
  [gettext("%(name)s steals %(tile)s from %(other)s"), gettext("You steal %(tile)s from %(other)s")],
];
