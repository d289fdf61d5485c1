"""Who hands in with whom: the account that a person's hand-in and marks are under, theirs or their team's."""

from assignments.models import Assignment, HandInPerson


def accounts_of(assignment: Assignment) -> dict[int, int]:
    """Return the account of each person of whom something was handed in. Of others it is their own."""
    return dict(HandInPerson.objects.filter(assignment=assignment).values_list("person", "account"))


def account_of(assignment: Assignment, person_id: int) -> int:
    """Return the account under which a person hands in, or has: their own unless their team did."""
    found = HandInPerson.objects.filter(assignment=assignment, person=person_id).values_list("account", flat=True)
    return found.first() or person_id


def people_under(assignment: Assignment, accounts: set[int]) -> set[int]:
    """Return the people who share in what these accounts have handed in."""
    shared: dict[int, set[int]] = {}
    for person, account in accounts_of(assignment).items():
        shared.setdefault(account, set()).add(person)
    return set().union(*(shared.get(account, {account}) for account in accounts))
