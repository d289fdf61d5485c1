/** Sentences in the second person, as pairs [about anybody, to you]. */

import { gettext, ngettext } from "../../i18n.js";

export const yours = () => [
  [gettext("%(name)s is dealt %(lake)s."), gettext("You are dealt %(lake)s.")],
  ...[1, 2].map((count) => [ngettext("%(name)s bids one trick.", "%(name)s bids %(tricks)s tricks.", count), ngettext("You bid one trick.", "You bid %(tricks)s tricks.", count)]),
  [gettext("%(name)s plays %(feature)s %(value)s."), gettext("You play %(feature)s %(value)s.")],
  [gettext("%(name)s leads with %(feature)s %(value)s."), gettext("You lead with %(feature)s %(value)s.")],
  [gettext("%(winner)s wins the trick with %(high)s."), gettext("You win the trick with %(high)s.")],
];
