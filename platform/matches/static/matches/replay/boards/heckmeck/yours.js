/** Sentences in the second person, as pairs [about anybody, to you]. */

import { gettext } from "../../i18n.js";
import { yours as atTheGrill } from "../grill/yours.js";

export const yours = () => [
  ...atTheGrill(),
  [gettext("%(name)s has two specialists and keeps the %(specialist)s."), gettext("You have two specialists and keep the %(specialist)s.")],
  [gettext("%(name)s throws the golden die too."), gettext("You throw the golden die too.")],
  [gettext("%(name)s leaves the golden die out."), gettext("You leave the golden die out.")],
  [gettext("%(name)s has the weasel throw these dice again."), gettext("You have the weasel throw these dice again.")],
  [gettext("%(name)s does not use the weasel."), gettext("You do not use the weasel.")],
  [gettext("%(name)s opens the canned worm."), gettext("You open the canned worm.")],
  [gettext("%(name)s leaves the can shut."), gettext("You leave the can shut.")],
  [gettext("%(name)s gets a bratworm."), gettext("You get a bratworm.")],
  [gettext("%(name)s gets a bratworm of %(other)s."), gettext("You get a bratworm of %(other)s.")],
  [gettext("%(name)s wins the hen that guards the tile of %(other)s."), gettext("You win the hen that guards the tile of %(other)s.")],
];
