"""Which answer each address gives to whom: the tables of ``test_who_sees_what``."""

from typing import Final

# The author has a bot in the tournament and in the match; the rival organises another tournament.
WHO: Final = ("nobody", "author", "other", "organiser", "rival", "staff")
# By who asks, in that order, and then the addresses; "login": sent to sign in.
GET: Final = """
200 200 200 200 200 200:
    puzzles:list puzzles:detail api-puzzles:list api-puzzles:detail notices:push-worker notices:web-app
    series:list api-series:list honours:list api-honours:list honours:feed tournaments:feed leagues:feed
    groups:list groups:join api-groups:list announcements:list api-announcements:list
    announcements:questions api-announcements:questions
    teams:detail api-teams:team
    home now screen search operations:status watch:all watch:all-cells watch:channel watch:channel-cells watch:timetable
    playground play-yourself playground-worker playground-kit playground-terms
    docs-handbook docs-guide docs-guide-text
    docs-bots docs-http docs-glossary peck house-bot docs-rules-index docs-rules docs-rules-version
    llms docs-bots-text docs-http-text docs-glossary-text docs-rules-index-text docs-rules-text docs-rules-version-text
    api-index api-games api-game api-game-version api-schema api-docs packages package package-file
    account_inactive account_email_verification_sent account_reset_password account_confirm_email
    socialaccount_login_cancelled
    account_reset_password_from_key_done account_reset_password_done account_reset_password_from_key
    accounts:profile bots:detail bots:version bots:verdict matches:list tournaments:list tournaments:detail
    tournaments:live tournaments:screen tournaments:fairness tournaments:apart cups:list api-cups:list leagues:list
    tournaments:preview leagues:preview leagues:screen bots:preview
    leagues:detail leagues:live leagues:embed leagues:bot leagues:badge leagues:season leagues:match
    leagues:head-to-head leagues:compare api-leagues:head-to-head api-leagues:compare
    leagues:export api:bot
    api:records api:results api:versions api:version api-matches:list api-tournaments:list
    api-tournaments:detail api-tournaments:entries api-tournaments:entry api-tournaments:registration
    api-leagues:list api-leagues:detail api-leagues:seasons
    api-leagues:ladder api-leagues:matches api-leagues:members api-leagues:member api-tournaments:forbidden-pairs
    api-tournaments:kept-groups
    api-leagues:season.json api-leagues:ladder.csv api-leagues:matches.csv api-leagues:records.jsonl
404 200 404 200 404 200:
    groups:detail api-groups:group series:detail api-series:detail api-series:standings api-series:events
    series:certificates
login 403 404 200 404 200:
    series:edit
404 404 404 200 404 200:
    api-announcements:detail
login 403 403 200 403 200:
    announcements:create announcements:edit
404 200 404 200 404 200:
    api-announcements:question
login 403 404 200 404 200:
    announcements:answer
    groups:members groups:export groups:member groups:roster groups:invitations groups:edit
login 200 404 200 404 200:
    assignments:detail
login 403 404 200 404 200:
    assignments:create assignments:edit assignments:marks assignments:student assignments:marks-file
    assignments:sources assignments:similar assignments:beside
login 405 405 405 405 405:
    assignments:delete assignments:hand-in assignments:publish
401 200 200 200 200 200:
    api-assignments:list
401 200 404 200 404 200:
    api-assignments:assignment api-assignments:marks
401 405 405 405 405 405:
    api-assignments:hand-in api-assignments:extensions api-assignments:publish api-assignments:renew
    api-assignments:decide api-assignments:decide-all
401 200 404 200 404 200:
    api-groups:members
401 403 404 200 404 200:
    api-groups:member api-groups:roster api-groups:invitations
login 405 405 405 405 405:
    series:delete series:add series:remove series:end
405 405 405 405 405 405:
    tournaments:template-delete
    api-series:event api-series:end
    theme tournaments:estimate tournaments:round-start tournaments:let-meet tournaments:let-group-meet
    tournaments:dismiss tournaments:publish tournaments:ceremony-act tournaments:registration-remove
    tournaments:entry-category
    tournaments:plan-act
    tournaments:enter tournaments:add-luck tournaments:withdraw tournaments:act leagues:join leagues:leave leagues:act
    tournaments:invitation-withdraw matches:broadcast matches:results cups:end-weekly
302 302 302 302 302 302:
    puzzles:next
    set_language mfa_list_webauthn
200 302 302 302 302 302:
    account_login account_signup
302 200 200 200 200 200:
    account_logout
login 302 302 302 302 302:
    mfa_authenticate mfa_reauthenticate mfa_activate_totp mfa_generate_recovery_codes
    mfa_add_webauthn mfa_reauthenticate_webauthn mfa_edit_webauthn mfa_remove_webauthn
login 404 404 404 404 404:
    mfa_deactivate_totp mfa_view_recovery_codes mfa_download_recovery_codes
login 200 200 200 200 200:
    mfa_index account_reauthenticate account_email account_change_password accounts:tokens bots:list bots:create
    socialaccount_connections
    bots:challenges
    organisers:ask playground-save playground-versions hooks:list notices:inbox notices:following notices:settings
    teams:list teams:create
login 403 403 403 403 200:
    operations:page
404 404 404 404 404 404:
    openid_connect_login openid_connect_callback operations:metrics notices:unsubscribe series:certificate
    series:feed groups:feed
login 403 403 200 200 200:
    series:create tournaments:create leagues:create groups:create tournaments:templates
401 401 401 401 401 401:
    socialaccount_login_error
login login login login login login:
    socialaccount_signup
login 302 302 302 302 302:
    account_set_password account_confirm_login_code accounts:delete accounts:export
login 405 405 405 405 405:
    accounts:token-revoke bots:spar-stop bots:challenge-answer bots:make-current bots:version-delete
    hooks:rotate hooks:act hooks:send-again notices:read-all notices:follow-change
    notices:device-add notices:device-remove
    groups:leave groups:remove groups:roster-apply groups:row-remove groups:renew groups:revoke groups:slips
    groups:accept announcements:delete announcements:question-delete
    teams:accept teams:leave teams:links teams:revoke teams:remove teams:captain
302 302 302 302 302 302:
    docs-part
login 404 404 404 404 404:
    bots:failure-file bots:check-frames bots:decision bots:decision-file
login 404 404 200 404 404:
    tournaments:template-rename
login 302 404 404 404 404:
    notices:follow
login 302 404 404 404 302:
    bots:drill
login 200 404 404 404 200:
    bots:output bots:check bots:costliest
login 200 200 403 200 403:
    announcements:ask
login 200 404 404 404 404:
    bots:edit bots:upload bots:spar bots:failures bots:check-failure bots:source bots:code bots:delete
    bots:changes hooks:detail hooks:delete tournaments:answers
401 404 404 404 404 404:
    api-puzzles:answer api-leagues:dataset.zip api-leagues:dataset-parquet.zip
    api-organisers:request
login 404 404 404 404 404:
    leagues:dataset-file
401 200 403 403 403 200:
    api-teams:links
404 404 404 404 404 404:
    groups:follow teams:follow teams:join leagues:dataset
    tournaments:invited api-leagues:proof.zip api-cups:weekly api-tournaments:ceremony
404 404 404 200 404 200:
    tournaments:ceremony tournaments:ceremony-live matches:detail matches:cells matches:embed matches:file
    matches:game-frames matches:game-notes matches:picture matches:record
    api-matches:detail
    api-matches:games api-matches:notes api-matches:record api-matches:record-bytes
404 404 404 202 404 202:
    matches:game-luck
403 403 403 200 403 200:
    tournaments:boards tournaments:boards-cells tournaments:embed tournaments:certificates tournaments:certificate
    tournaments:tie-breaks tournaments:calculation tournaments:pairings tournaments:rulings tournaments:rulings-export
    tournaments:ratings tournaments:ratings-export tournaments:report tournaments:export api-tournaments:rounds
    api-tournaments:round api-tournaments:rulings
    api-tournaments:standings api-tournaments:ratings api-tournaments:matches api-leagues:pairs
    api-leagues:near-copies
    api-tournaments:tournament.json api-tournaments:standings.csv api-tournaments:fixtures.csv
    api-tournaments:answers.csv
    api-tournaments:rulings.csv api-tournaments:ratings.csv api-tournaments:ratings.json api-tournaments:report
login 403 403 200 403 200:
    tournaments:copy tournaments:template-save tournaments:registration tournaments:answers-export
    tournaments:arrange tournaments:arbiters tournaments:rule tournaments:invitation leagues:pairs tournaments:premiere
    tournaments:plan tournaments:plan-round tournaments:edit leagues:edit cups:create
401 404 404 200 404 200:
    api-matches:broadcast
401 403 403 200 403 200:
    api-tournaments:answers
    api-tournaments:invitation api-tournaments:premiere api-tournaments:settings api-tournaments:arbiters
    api-tournaments:plan api-tournaments:plan-round api-tournaments:timeline api-leagues:settings api-cups:field
login 403 403 404 403 404:
    tournaments:dataset-file tournaments:sources-archive
401 403 403 404 403 404:
    api-tournaments:dataset.zip api-tournaments:dataset-parquet.zip api-tournaments:sources.zip
403 403 403 404 403 404:
    tournaments:bracket api-tournaments:proof.zip tournaments:dataset
    tournaments:sources tournaments:source tournaments:source-file
    api-tournaments:sources api-tournaments:source-file
401 200 200 200 200 200:
    api:bots api:sparrings api:challenges api-me api-me-export api-hooks:hooks api-notices:notices
    api-notices:following api-notices:channels api-notices:devices
    api-teams:list
401 403 403 200 200 200:
    api-tournaments:templates
401 404 404 200 404 404:
    api-tournaments:template
401 200 404 404 404 200:
    api:output api:timings
401 200 404 404 404 200:
    api:challenge
401 200 404 404 404 404:
    api-tournaments:entry-answers
    api:failures api:check-failure api:source api-hooks:hook api-hooks:deliveries
401 404 404 404 404 404:
    api:sparring api:failure-file api:drill.jsonl
401 405 405 405 405 405:
    api-tournaments:from-template
    api-tournaments:registration-question api-tournaments:entry-category
    api:make-current api-tournaments:estimate api-hooks:rotate api-hooks:pause api-hooks:resume api-hooks:test
    api-hooks:send-again api-notices:read api-notices:read-all api-notices:follow api-notices:device
    api-tournaments:copy
    api-tournaments:open api-tournaments:lock api-tournaments:reopen api-tournaments:start api-tournaments:cancel
    api-tournaments:pause api-tournaments:resume api-tournaments:release api-tournaments:publication
    api-tournaments:release-sources api-tournaments:dataset
    api-tournaments:luck api-tournaments:arbiter api-tournaments:forbidden-pair api-tournaments:kept-group
    api-tournaments:round-start api-tournaments:ceremony-start api-tournaments:ceremony-advance
    api-tournaments:ceremony-pace api-tournaments:ceremony-accept
    api-tournaments:swap api-tournaments:ruling-preview
    api-leagues:open api-leagues:end-season api-leagues:next-season api-leagues:close
    api-leagues:pause api-leagues:resume api-leagues:dataset api-leagues:house-bots
    api-groups:join api-groups:leave api-groups:roster-preview api-groups:roster-row api-groups:invitation
    api-groups:renew api-groups:slips
    api-teams:join api-teams:leave api-teams:link api-teams:member api-teams:captain
"""
DRAFTS: Final = """
404 404 404 200 404 200:
    api-tournaments:registration api-tournaments:answers.csv
    announcements:list api-announcements:list announcements:questions api-announcements:questions
    tournaments:ceremony tournaments:ceremony-live
    tournaments:detail tournaments:live tournaments:screen tournaments:embed leagues:embed
    tournaments:preview leagues:preview leagues:screen
    tournaments:fairness tournaments:tie-breaks tournaments:apart tournaments:certificates
    tournaments:rulings tournaments:rulings-export tournaments:ratings tournaments:ratings-export tournaments:export
    leagues:detail
    leagues:live api-tournaments:detail api-tournaments:entries api-tournaments:rounds api-tournaments:rulings
    api-tournaments:standings
    api-tournaments:ratings api-tournaments:matches api-leagues:detail api-leagues:seasons api-leagues:members
    api-tournaments:forbidden-pairs api-tournaments:kept-groups api-tournaments:tournament.json
    api-tournaments:standings.csv
    api-tournaments:fixtures.csv api-tournaments:rulings.csv api-tournaments:ratings.csv api-tournaments:ratings.json
    cups:list api-cups:list
404 404 404 404 404 404:
    groups:feed
    tournaments:invited api-tournaments:ceremony tournaments:feed leagues:feed
    tournaments:dataset tournaments:sources tournaments:source tournaments:source-file leagues:dataset
    api-tournaments:sources api-tournaments:source-file
    tournaments:boards tournaments:boards-cells
    tournaments:certificate
    tournaments:calculation tournaments:pairings tournaments:bracket tournaments:report leagues:bot leagues:badge
    leagues:season leagues:head-to-head leagues:compare api-leagues:head-to-head api-leagues:compare
    leagues:match leagues:export api-tournaments:round api-leagues:ladder api-leagues:matches api-leagues:pairs
    api-leagues:near-copies api-leagues:season.json api-leagues:ladder.csv api-leagues:matches.csv
    api-leagues:records.jsonl api-leagues:proof.zip
    api-leagues:member api-tournaments:entry api-tournaments:proof.zip api-tournaments:report api-cups:weekly
login 404 404 404 404 404:
    tournaments:answers tournaments:dataset-file tournaments:sources-archive leagues:dataset-file
    tournaments:arrange leagues:pairs tournaments:premiere cups:create
401 404 404 404 404 404:
    api-tournaments:entry-answers api-tournaments:dataset.zip api-tournaments:dataset-parquet.zip
    api-tournaments:sources.zip api-leagues:dataset.zip api-leagues:dataset-parquet.zip
    api-tournaments:premiere api-cups:field
405 405 405 405 405 405:
    tournaments:registration-remove
    tournaments:entry-category
    tournaments:round-start tournaments:let-meet tournaments:let-group-meet tournaments:dismiss tournaments:publish
    tournaments:plan-act
    tournaments:enter tournaments:ceremony-act
    tournaments:add-luck tournaments:withdraw tournaments:act leagues:join leagues:leave leagues:act
    tournaments:invitation-withdraw cups:end-weekly
401 404 404 200 404 200:
    api-tournaments:answers
    api-tournaments:invitation api-tournaments:settings api-tournaments:arbiters
    api-tournaments:plan api-tournaments:timeline api-leagues:settings
401 404 404 404 404 404:
    api-tournaments:plan-round
401 405 405 405 405 405:
    api-tournaments:release-sources api-tournaments:dataset
    api-tournaments:registration-question api-tournaments:entry-category
    api-tournaments:copy
    api-tournaments:open api-tournaments:lock api-tournaments:reopen api-tournaments:start api-tournaments:cancel
    api-tournaments:pause api-tournaments:resume api-tournaments:release api-tournaments:publication
    api-tournaments:luck api-tournaments:arbiter api-tournaments:forbidden-pair api-tournaments:kept-group
    api-tournaments:round-start api-tournaments:ceremony-start api-tournaments:ceremony-advance
    api-tournaments:ceremony-pace api-tournaments:ceremony-accept
    api-tournaments:swap api-tournaments:ruling-preview
    api-leagues:open api-leagues:end-season api-leagues:next-season api-leagues:close
    api-leagues:pause api-leagues:resume api-leagues:dataset api-leagues:house-bots
login 404 404 200 404 200:
    tournaments:copy tournaments:template-save tournaments:registration tournaments:answers-export
    tournaments:invitation tournaments:arbiters tournaments:rule tournaments:edit leagues:edit tournaments:plan
    announcements:create
login 404 404 403 404 403:
    announcements:ask
login 404 404 404 404 404:
    tournaments:plan-round groups:member
200 200 200 200 200 200:
    groups:detail api-groups:group
login 200 404 200 404 200:
    assignments:detail
login 403 404 200 404 200:
    assignments:create assignments:edit assignments:marks assignments:student assignments:marks-file
    assignments:sources assignments:similar assignments:beside
login 405 405 405 405 405:
    assignments:delete assignments:hand-in assignments:publish
login 404 404 200 404 200:
    groups:members groups:export groups:roster groups:invitations groups:edit
login 405 405 405 405 405:
    groups:leave groups:remove groups:roster-apply groups:row-remove groups:renew groups:revoke groups:slips
401 404 404 200 404 200:
    api-groups:members api-groups:roster api-groups:invitations
401 404 404 404 404 404:
    api-groups:member
401 405 405 405 405 405:
    api-groups:leave api-groups:roster-preview api-groups:roster-row api-groups:invitation api-groups:renew
    api-groups:slips
"""


def read_table(text: str) -> dict[str, dict[str, str]]:
    """The answer to each of ``WHO``, by address."""
    table: dict[str, dict[str, str]] = {}
    for line in text.strip().splitlines():
        if line.endswith(":"):
            answers = line.removesuffix(":").split()
        else:
            table |= {name: dict(zip(WHO, answers, strict=True)) for name in line.split()}
    return table
