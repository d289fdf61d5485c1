/** Sentences in the second person, as pairs [about anybody, to you]. */

import { gettext, ngettext } from "../../i18n.js";

export const yours = () => [
  [gettext("%(name)s rolls %(dice)s."), gettext("You roll %(dice)s.")],
  [gettext("%(name)s rolls …"), gettext("You roll …")],
  ...[1, 2].flatMap((count) => [
    [ngettext("%(name)s has %(sum)s and rolls one die …", "%(name)s has %(sum)s and rolls %(dice)s dice …", count), ngettext("You have %(sum)s and roll one die …", "You have %(sum)s and roll %(dice)s dice …", count)],
    [ngettext("%(name)s rolls on with one die.", "%(name)s rolls on with %(dice)s dice.", count), ngettext("You roll on with one die.", "You roll on with %(dice)s dice.", count)],
    [ngettext("%(name)s takes tile %(tile)s with one worm.", "%(name)s takes tile %(tile)s with %(worms)s worms.", count), ngettext("You take tile %(tile)s with one worm.", "You take tile %(tile)s with %(worms)s worms.", count)],
  ]),
  [gettext("%(name)s keeps the worms: %(sum)s."), gettext("You keep the worms: %(sum)s.")],
  [gettext("%(name)s keeps the %(face)ss: %(sum)s."), gettext("You keep the %(face)ss: %(sum)s.")],
  [gettext("%(name)s stops."), gettext("You stop.")],
  [gettext("%(name)s steals nothing."), gettext("You steal nothing.")],
  [gettext("%(name)s steals tile %(tile)s from %(other)s."), gettext("You steal tile %(tile)s from %(other)s.")],
  [gettext("%(name)s steals %(tile)s from %(other)s"), gettext("You steal %(tile)s from %(other)s")],
  [gettext("%(name)s fails: nothing new was rolled."), gettext("You fail: nothing new was rolled.")],
  [gettext("%(name)s fails: no worm was kept."), gettext("You fail: no worm was kept.")],
  [gettext("%(name)s fails: a player who declines to steal gets nothing."), gettext("You fail: a player who declines to steal gets nothing.")],
  [gettext("%(name)s fails: no tile matches that total."), gettext("You fail: no tile matches that total.")],
];
