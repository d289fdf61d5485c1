-- taken: account.0001_initial
-- taken: account.0002_email_max_length
-- taken: account.0003_alter_emailaddress_create_unique_verified_email
-- taken: account.0004_alter_emailaddress_drop_unique_email
-- taken: account.0005_emailaddress_idx_upper_email
-- taken: account.0006_emailaddress_lower
-- taken: account.0007_emailaddress_idx_email
-- taken: account.0008_emailaddress_unique_primary_email_fixup
-- taken: account.0009_emailaddress_unique_primary_email
-- taken: accounts.0001_first_release
-- taken: accounts.0001_initial
-- taken: accounts.0002_accesstoken_last_used
-- taken: accounts.0002_datetimes_end_in_at
-- taken: accounts.0003_scopes_of_tokens
-- taken: accounts.0003_tokens_end
-- taken: accounts.0004_scope_of_hooks
-- taken: accounts.0004_token_ends
-- taken: accounts.0005_keys_of_names
-- taken: accounts.0006_language_of_people
-- taken: accounts.0007_accounts_of_teams
-- taken: admin.0001_initial
-- taken: admin.0002_logentry_remove_auto_add
-- taken: admin.0003_logentry_add_action_flag_choices
-- taken: announcements.0001_announcements
-- taken: announcements.0002_questions
-- taken: assignments.0001_assignments
-- taken: assignments.0002_reminders
-- taken: assignments.0003_hand_ins_of_teams
-- taken: auth.0001_initial
-- taken: auth.0002_alter_permission_name_max_length
-- taken: auth.0003_alter_user_email_max_length
-- taken: auth.0004_alter_user_username_opts
-- taken: auth.0005_alter_user_last_login_null
-- taken: auth.0006_require_contenttypes_0002
-- taken: auth.0007_alter_validators_add_error_messages
-- taken: auth.0008_alter_user_username_max_length
-- taken: auth.0009_alter_user_last_name_max_length
-- taken: auth.0010_alter_group_name_max_length
-- taken: auth.0011_update_proxy_permissions
-- taken: auth.0012_alter_user_first_name_max_length
-- taken: bots.0001_first_release
-- taken: bots.0001_initial
-- taken: bots.0002_alter_bot_name
-- taken: bots.0002_packages_apart
-- taken: bots.0003_datetimes_end_in_at
-- taken: bots.0003_deletion_and_kept_files
-- taken: bots.0004_bot_without_chosen_at
-- taken: bots.0004_checks_by_turns
-- taken: bots.0005_packages_in_a_storage
-- taken: bots.0005_version_chosen_by_hand
-- taken: bots.0006_game_of_a_bot
-- taken: bots.0006_key_of_the_name
-- taken: bots.0007_faults_of_checks
-- taken: bots.0008_turns_of_authors
-- taken: bots.0009_keys_of_contents
-- taken: bots.0010_organisers_may_enter
-- taken: bots.0011_sketches_of_programs
-- taken: bots.0012_who_uploaded
-- taken: bots.0013_authors_under_aliases
-- taken: bots.0014_notes_shown
-- taken: bots.0015_messages_of_versions
-- taken: bots.0016_authorship_of_versions
-- taken: bots.0017_challenged_by
-- taken: contenttypes.0001_initial
-- taken: contenttypes.0002_remove_content_type_name
-- taken: groups.0001_groups_and_their_people
-- taken: groups.0002_claims_of_letters
-- taken: groups.0003_larger_uploads
-- taken: hooks.0001_hooks_and_deliveries
-- taken: hooks.0002_formats_of_messages
-- taken: hooks.0003_about_one_event
-- taken: knox.0001_initial
-- taken: knox.0002_auto_20150916_1425
-- taken: knox.0003_auto_20150916_1526
-- taken: knox.0004_authtoken_expires
-- taken: knox.0005_authtoken_token_key
-- taken: knox.0006_auto_20160818_0932
-- taken: knox.0007_auto_20190111_0542
-- taken: knox.0008_remove_authtoken_salt
-- taken: knox.0009_extend_authtoken_field
-- taken: league.0001_first_release
-- taken: league.0001_initial
-- taken: league.0002_returning_versions
-- taken: league.0002_season_entries_and_snapshots
-- taken: league.0003_datetimes_end_in_at
-- taken: league.0004_min_action_ms
-- taken: league.0005_ladder_checks
-- taken: league.0006_ratings_less_luck
-- taken: league.0007_league_paused_at
-- taken: league.0008_plural_names
-- taken: league.0009_key_of_the_name
-- taken: league.0010_exclusions
-- taken: league.0011_enters_cups
-- taken: league.0012_audiences
-- taken: league.0013_paused_because
-- taken: league.0014_divisions
-- taken: league.0015_season_datasets
-- taken: league.0016_team_size
-- taken: league.0017_digests
-- taken: matches.0001_first_release
-- taken: matches.0001_initial
-- taken: matches.0002_analysis_of_a_game
-- taken: matches.0002_series
-- taken: matches.0003_audience
-- taken: matches.0003_broadcasts
-- taken: matches.0004_analysis_kept
-- taken: matches.0004_workers_lost
-- taken: matches.0005_datetimes_end_in_at
-- taken: matches.0005_since_when_a_match_may_be_played
-- taken: matches.0006_clocks_of_workers
-- taken: matches.0006_premieres_at_and_min_action_ms
-- taken: matches.0007_logs_of_seats
-- taken: matches.0007_what_faults_keep
-- taken: matches.0008_games_of_checks
-- taken: matches.0008_shares_and_slices
-- taken: matches.0009_order_of_the_queue
-- taken: matches.0009_sparring
-- taken: matches.0010_quiet_contests
-- taken: matches.0010_too_close_to_call
-- taken: matches.0011_indexes_of_lists
-- taken: matches.0012_index_of_running
-- taken: matches.0013_indexes_of_queued_and_premieres
-- taken: matches.0014_drained_workers
-- taken: matches.0015_plural_names
-- taken: matches.0016_luck_value
-- taken: matches.0017_boxes_lost
-- taken: matches.0018_wasted_ms
-- taken: matches.0019_code_of_games
-- taken: matches.0020_audiences_of_groups
-- taken: matches.0021_live_for_on_air
-- taken: matches.0022_game_faults
-- taken: matches.0023_notes_of_seats
-- taken: matches.0024_challenges
-- taken: matches.0025_on_hold
-- taken: mfa.0001_initial
-- taken: mfa.0002_authenticator_timestamps
-- taken: mfa.0003_authenticator_type_uniq
-- taken: notices.0001_notices
-- taken: notices.0002_quiet_hours
-- taken: notices.0003_follows
-- taken: notices.0004_push
-- taken: operations.0001_incidents
-- taken: operations.0002_sizes_and_backups
-- taken: organisers.0001_asked_and_granted
-- taken: organisers.0001_first_release
-- taken: organisers.0002_allowances
-- taken: organisers.0002_datetimes_end_in_at
-- taken: puzzles.0001_puzzles
-- taken: series.0001_series
-- taken: series.0002_series_end
-- taken: sessions.0001_initial
-- taken: socialaccount.0001_initial
-- taken: socialaccount.0002_token_max_lengths
-- taken: socialaccount.0003_extra_data_default_dict
-- taken: socialaccount.0004_app_provider_id_settings
-- taken: socialaccount.0005_socialtoken_nullable_app
-- taken: socialaccount.0006_alter_socialaccount_extra_data
-- taken: teams.0001_teams_and_their_people
-- taken: tournaments.0001_first_release
-- taken: tournaments.0001_initial
-- taken: tournaments.0002_luck_value
-- taken: tournaments.0002_swiss
-- taken: tournaments.0003_broadcasts
-- taken: tournaments.0003_stages
-- taken: tournaments.0004_premiere_of_a_round
-- taken: tournaments.0004_stages_filled
-- taken: tournaments.0005_forbidden_pairs_and_superseded_matches
-- taken: tournaments.0005_stages_only
-- taken: tournaments.0006_datetimes_end_in_at
-- taken: tournaments.0006_withdrawals
-- taken: tournaments.0007_knockouts
-- taken: tournaments.0007_premieres_at_and_min_action_ms
-- taken: tournaments.0008_calendar
-- taken: tournaments.0008_tournament_revision
-- taken: tournaments.0009_five_thousand_entries
-- taken: tournaments.0009_rulings
-- taken: tournaments.0010_luck_frozen_digest
-- taken: tournaments.0010_stopping
-- taken: tournaments.0011_apart
-- taken: tournaments.0011_starts_missed
-- taken: tournaments.0012_heats
-- taken: tournaments.0012_round_plans
-- taken: tournaments.0013_invariants
-- taken: tournaments.0013_key_of_the_name
-- taken: tournaments.0014_keep_apart
-- taken: tournaments.0014_since_when_an_entry_is_out
-- taken: tournaments.0015_time_zone
-- taken: tournaments.0015_withdrawn_because_deleted
-- taken: tournaments.0016_entrants_most
-- taken: tournaments.0016_ladder_cups
-- taken: tournaments.0017_luck
-- taken: tournaments.0017_weekly_cups
-- taken: tournaments.0018_ceremonies
-- taken: tournaments.0018_luck_filled
-- taken: tournaments.0019_audiences
-- taken: tournaments.0019_luck_only
-- taken: tournaments.0020_chain
-- taken: tournaments.0020_players_of_teams
-- taken: tournaments.0021_copies
-- taken: tournaments.0021_rulings_reverse
-- taken: tournaments.0022_paused_because
-- taken: tournaments.0022_rulings_reverse_filled
-- taken: tournaments.0023_dutch_2026
-- taken: tournaments.0023_nonces_under_aliases
-- taken: tournaments.0024_entries_open_by_themselves
-- taken: tournaments.0024_entry_deadline
-- taken: tournaments.0025_invitations
-- taken: tournaments.0025_registration_questions
-- taken: tournaments.0026_entry_category
-- taken: tournaments.0026_formats_of_the_registry
-- taken: tournaments.0027_release_of_sources
-- taken: tournaments.0028_dataset_licence
-- taken: tournaments.0029_admission_in_plain_words
-- taken: tournaments.0030_new_versions
-- taken: tournaments.0031_team_size
-- taken: tournaments.0032_templates
-- taken: tournaments.0033_cancelled
-- taken: web.0001_answers_kept_for_a_key
-- taken: web.0002_snapshots
-- taken: web.0003_prepared_files
CREATE TABLE "account_emailaddress" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "verified" bool NOT NULL, "primary" bool NOT NULL, "user_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "email" varchar(254) NOT NULL);

CREATE TABLE "account_emailconfirmation" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created" datetime NOT NULL, "sent" datetime NULL, "key" varchar(64) NOT NULL UNIQUE, "email_address_id" integer NOT NULL REFERENCES "account_emailaddress" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "accounts_accesstoken" ("digest" varchar(128) NOT NULL PRIMARY KEY, "token_key" varchar(25) NOT NULL, "created" datetime NOT NULL, "expiry" datetime NULL, "name" varchar(60) NOT NULL, "user_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "last_used_at" datetime NULL, "has_upload" bool NOT NULL, "has_organise" bool NOT NULL, "has_hooks" bool NOT NULL, CONSTRAINT "token_ends" CHECK ("expiry" IS NOT NULL));

CREATE TABLE "accounts_user" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "password" varchar(128) NOT NULL, "last_login" datetime NULL, "is_superuser" bool NOT NULL, "username" varchar(150) NOT NULL UNIQUE, "first_name" varchar(150) NOT NULL, "last_name" varchar(150) NOT NULL, "email" varchar(254) NOT NULL, "is_staff" bool NOT NULL, "is_active" bool NOT NULL, "date_joined" datetime NOT NULL, "is_organiser" bool NOT NULL, "email_key" text NULL UNIQUE, "username_key" text NULL UNIQUE, "language" varchar(10) NULL, "is_team" bool DEFAULT 0 NOT NULL, CONSTRAINT "team_account_is_nobodys_to_sign_in" CHECK ((NOT "is_team" OR ("email" = '' AND NOT "is_active" AND NOT "is_organiser" AND NOT "is_staff" AND NOT "is_superuser"))));

CREATE TABLE "accounts_user_groups" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "accounts_user_user_permissions" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "permission_id" integer NOT NULL REFERENCES "auth_permission" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "announcements_announcement" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "subject" varchar(20) NOT NULL, "subject_id" bigint unsigned NOT NULL CHECK ("subject_id" >= 0), "title" varchar(120) NOT NULL, "text" text NOT NULL, "is_pinned" bool NOT NULL, "created_at" datetime NOT NULL, "publish_at" datetime NOT NULL, "published_at" datetime NULL, "edited_at" datetime NULL, "edits" integer unsigned NOT NULL CHECK ("edits" >= 0), "author_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "announcement_has_a_title" CHECK (NOT ("title" = '')), CONSTRAINT "announcement_is_never_early" CHECK (("published_at" IS NULL OR "published_at" >= ("publish_at"))));

CREATE TABLE "announcements_question" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "subject" varchar(20) NOT NULL, "subject_id" bigint unsigned NOT NULL CHECK ("subject_id" >= 0), "text" text NOT NULL, "created_at" datetime NOT NULL, "answer" text NOT NULL, "answered_at" datetime NULL, "published_at" datetime NULL, "edits" integer unsigned NOT NULL CHECK ("edits" >= 0), "answered_by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "asker_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "question_has_a_text" CHECK (NOT ("text" = '')), CONSTRAINT "question_answered_has_a_text" CHECK ((("answer" = '' AND "answered_at" IS NULL) OR (NOT ("answer" = '') AND "answered_at" IS NOT NULL))), CONSTRAINT "question_published_was_answered" CHECK (("published_at" IS NULL OR "published_at" >= ("answered_at"))));

CREATE TABLE "assignments_assignment" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "secret" BLOB NOT NULL, "title" varchar(80) NOT NULL, "text" text NOT NULL, "game" varchar(20) NOT NULL, "ruleset" varchar(30) NOT NULL, "zone" varchar(60) NOT NULL, "opens_at" datetime NOT NULL, "due_at" datetime NOT NULL, "grace_minutes" smallint unsigned NOT NULL CHECK ("grace_minutes" >= 0), "late_days" smallint unsigned NOT NULL CHECK ("late_days" >= 0), "late_penalty" smallint unsigned NOT NULL CHECK ("late_penalty" >= 0), "attempts_a_day" smallint unsigned NOT NULL CHECK ("attempts_a_day" >= 0), "practice_blocks" smallint unsigned NOT NULL CHECK ("practice_blocks" >= 0), "blocks_most" smallint unsigned NOT NULL CHECK ("blocks_most" >= 0), "created_at" datetime NOT NULL, "revealed_at" datetime NULL, "group_id" bigint NOT NULL REFERENCES "groups_group" ("id") DEFERRABLE INITIALLY DEFERRED, "organiser_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "reminded_at" datetime NULL, "team_size" smallint unsigned DEFAULT 1 NOT NULL CHECK ("team_size" >= 0), CONSTRAINT "assignment_has_a_title" CHECK (NOT ("title" = '')), CONSTRAINT "assignment_opens_before_it_is_due" CHECK ("due_at" > ("opens_at")), CONSTRAINT "assignment_penalty_is_percent" CHECK ("late_penalty" <= 100), CONSTRAINT "assignment_late_days_bounded" CHECK ("late_days" <= 14), CONSTRAINT "assignment_plays_something" CHECK (("attempts_a_day" >= 1 AND "blocks_most" >= 1 AND "practice_blocks" >= 1)), CONSTRAINT "assignment_team_size_bounded" CHECK (("team_size" >= 1 AND "team_size" <= 10)));

CREATE TABLE "assignments_assignmentreference" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "threshold" smallint unsigned NOT NULL CHECK ("threshold" >= 0), "points" smallint unsigned NOT NULL CHECK ("points" >= 0), "assignment_id" bigint NOT NULL REFERENCES "assignments_assignment" ("id") DEFERRABLE INITIALLY DEFERRED, "version_id" bigint NOT NULL REFERENCES "bots_botversion" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "reference_threshold_bounded" CHECK (("threshold" >= 5 AND "threshold" <= 95)), CONSTRAINT "reference_points_bounded" CHECK ("points" <= 100));

CREATE TABLE "assignments_dueextension" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "due_at" datetime NOT NULL, "reason" varchar(300) NOT NULL, "created_at" datetime NOT NULL, "assignment_id" bigint NOT NULL REFERENCES "assignments_assignment" ("id") DEFERRABLE INITIALLY DEFERRED, "by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "student_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "reminded_at" datetime NULL, CONSTRAINT "due_extension_has_a_reason" CHECK (NOT ("reason" = '')));

CREATE TABLE "assignments_handin" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "handed_in_at" datetime NOT NULL, "assignment_id" bigint NOT NULL REFERENCES "assignments_assignment" ("id") DEFERRABLE INITIALLY DEFERRED, "bot_id" bigint NOT NULL REFERENCES "bots_bot" ("id") DEFERRABLE INITIALLY DEFERRED, "student_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "assignments_handinperson" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "account_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "assignment_id" bigint NOT NULL REFERENCES "assignments_assignment" ("id") DEFERRABLE INITIALLY DEFERRED, "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "assignments_marking" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" smallint unsigned NOT NULL CHECK ("number" >= 0), "days_late" smallint unsigned NOT NULL CHECK ("days_late" >= 0), "reason" varchar(300) NOT NULL, "created_at" datetime NOT NULL, "published_at" datetime NULL, "assignment_id" bigint NOT NULL REFERENCES "assignments_assignment" ("id") DEFERRABLE INITIALLY DEFERRED, "by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "student_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "version_id" bigint NOT NULL REFERENCES "bots_botversion" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "marking_again_has_why" CHECK (("number" = 1 OR ("number" > 1 AND NOT ("reason" = '')))));

CREATE TABLE "assignments_practicerun" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime NOT NULL, "match_id" bigint NOT NULL UNIQUE REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED, "reference_id" bigint NOT NULL REFERENCES "assignments_assignmentreference" ("id") DEFERRABLE INITIALLY DEFERRED, "student_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "version_id" bigint NOT NULL REFERENCES "bots_botversion" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "assignments_referencemark" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "ruling" varchar(10) NOT NULL, "ruling_reason" varchar(300) NOT NULL, "ruled_at" datetime NULL, "marking_id" bigint NOT NULL REFERENCES "assignments_marking" ("id") DEFERRABLE INITIALLY DEFERRED, "match_id" bigint NULL UNIQUE REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED, "reference_id" bigint NOT NULL REFERENCES "assignments_assignmentreference" ("id") DEFERRABLE INITIALLY DEFERRED, "ruled_by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "mark_ruling_known" CHECK ("ruling" IN ('', 'met', 'missed')), CONSTRAINT "mark_ruling_has_a_reason" CHECK ((("ruled_at" IS NULL AND "ruling" = '') OR (NOT ("ruling" = '') AND NOT ("ruling_reason" = '') AND "ruled_at" IS NOT NULL))));

CREATE TABLE "auth_group" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(150) NOT NULL UNIQUE);

CREATE TABLE "auth_group_permissions" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED, "permission_id" integer NOT NULL REFERENCES "auth_permission" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "auth_permission" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "content_type_id" integer NOT NULL REFERENCES "django_content_type" ("id") DEFERRABLE INITIALLY DEFERRED, "codename" varchar(100) NOT NULL, "name" varchar(255) NOT NULL);

CREATE TABLE "bots_bot" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(40) NOT NULL, "slug" varchar(60) NOT NULL UNIQUE, "game" varchar(20) NOT NULL, "blurb" varchar(140) NOT NULL, "is_house" bool NOT NULL, "owner_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "current_id" bigint NULL REFERENCES "bots_botversion" ("id") DEFERRABLE INITIALLY DEFERRED, "created_at" datetime NOT NULL, "deleted_at" datetime NULL, "name_key" text NULL, "organisers_may_enter" bool DEFAULT 0 NOT NULL, "alias_group_id" bigint NULL REFERENCES "groups_group" ("id") DEFERRABLE INITIALLY DEFERRED, "author_alias" varchar(200) DEFAULT '' NOT NULL, "notes_shown" bool DEFAULT 0 NOT NULL, "challenged_by" varchar(10) DEFAULT '' NOT NULL, CONSTRAINT "bot_deleted_plays_no_more" CHECK (("deleted_at" IS NULL OR "current_id" IS NULL)), CONSTRAINT "bot_alias_is_of_a_group" CHECK (("author_alias" = '' OR "alias_group_id" IS NOT NULL)), CONSTRAINT "bot_challenged_by_known" CHECK ("challenged_by" IN ('', 'everyone', 'ask', 'nobody')));

CREATE TABLE "bots_botpackage" ("version_id" bigint NOT NULL PRIMARY KEY REFERENCES "bots_botversion" ("id") DEFERRABLE INITIALLY DEFERRED, "content" BLOB NULL, "stored_as" varchar(100) DEFAULT '' NOT NULL, "sketch" BLOB NULL, CONSTRAINT "package_here_or_stored" CHECK ((("content" IS NULL OR "stored_as" = '') AND 1 = (CASE WHEN "content" IS NULL THEN 1 ELSE 0 END + CASE WHEN "stored_as" = '' THEN 1 ELSE 0 END))));

CREATE TABLE "bots_botversion" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "sha256" varchar(64) NOT NULL, "filename" varchar(100) NOT NULL, "size" integer unsigned NOT NULL CHECK ("size" >= 0), "kept" integer unsigned NOT NULL CHECK ("kept" >= 0), "state" varchar(10) NOT NULL, "check_attempt" integer unsigned NOT NULL CHECK ("check_attempt" >= 0), "report" text NOT NULL CHECK ((JSON_VALID("report") OR "report" IS NULL)), "bot_id" bigint NOT NULL REFERENCES "bots_bot" ("id") DEFERRABLE INITIALLY DEFERRED, "checked_for_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "check_started_at" datetime NULL, "checked_at" datetime NULL, "created_at" datetime NOT NULL, "lease_expires_at" datetime NULL, "check_faults" smallint unsigned DEFAULT 0 NOT NULL CHECK ("check_faults" >= 0), "content_key" varchar(64) DEFAULT '' NOT NULL, "uploaded_by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "message" varchar(200) DEFAULT '' NOT NULL, "authorship" varchar(10) DEFAULT '' NOT NULL, "model" varchar(60) DEFAULT '' NOT NULL, CONSTRAINT "version_state_known" CHECK ("state" IN ('queued', 'checking', 'accepted', 'refused', 'deleted')), CONSTRAINT "version_checked_for_while_checked" CHECK (("checked_for_id" IS NULL OR "state" = 'checking')), CONSTRAINT "version_kept_whole_or_not" CHECK (("kept" = ("size") OR "kept" = 0)), CONSTRAINT "version_verdict_has_a_time" CHECK (("checked_at" IS NOT NULL OR NOT ("state" IN ('accepted', 'refused')))), CONSTRAINT "version_leased_only_while_open" CHECK (("lease_expires_at" IS NULL OR "state" IN ('queued', 'checking'))), CONSTRAINT "version_authorship_declared" CHECK (("authorship" IN ('', 'hand', 'assisted', 'agent') AND ("model" = '' OR "authorship" IN ('assisted', 'agent')))));

CREATE TABLE "bots_checkturn" ("author_id" bigint NOT NULL PRIMARY KEY REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "served_at" datetime NOT NULL);

CREATE TABLE "django_admin_log" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "object_id" text NULL, "object_repr" varchar(200) NOT NULL, "action_flag" smallint unsigned NOT NULL CHECK ("action_flag" >= 0), "change_message" text NOT NULL, "content_type_id" integer NULL REFERENCES "django_content_type" ("id") DEFERRABLE INITIALLY DEFERRED, "user_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "action_time" datetime NOT NULL);

CREATE TABLE "django_content_type" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "app_label" varchar(100) NOT NULL, "model" varchar(100) NOT NULL);

CREATE TABLE "django_migrations" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "app" varchar(255) NOT NULL, "name" varchar(255) NOT NULL, "applied" datetime NOT NULL);

CREATE TABLE "django_session" ("session_key" varchar(40) NOT NULL PRIMARY KEY, "session_data" text NOT NULL, "expire_date" datetime NOT NULL);

CREATE TABLE "groups_group" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(80) NOT NULL, "slug" varchar(90) NOT NULL UNIQUE, "kind" varchar(10) NOT NULL, "is_listed" bool NOT NULL, "uses_aliases" bool NOT NULL, "created_at" datetime NOT NULL, "closed_at" datetime NULL, "created_by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "has_large_uploads" bool DEFAULT 0 NOT NULL, CONSTRAINT "group_kind_known" CHECK ("kind" IN ('class', 'club', 'company')), CONSTRAINT "group_has_a_name" CHECK (NOT ("name" = '')));

CREATE TABLE "groups_groupinvitation" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(10) NOT NULL, "digest" varchar(64) NOT NULL UNIQUE, "batch" char(32) NOT NULL, "role" varchar(10) NOT NULL, "uses_most" integer unsigned NOT NULL CHECK ("uses_most" >= 0), "uses_left" integer unsigned NOT NULL CHECK ("uses_left" >= 0), "created_at" datetime NOT NULL, "expires_at" datetime NOT NULL, "revoked_at" datetime NULL, "created_by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "group_id" bigint NOT NULL REFERENCES "groups_group" ("id") DEFERRABLE INITIALLY DEFERRED, "row_id" bigint NULL REFERENCES "groups_rosterrow" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "group_invitation_kind_known" CHECK ("kind" IN ('link', 'code', 'slip', 'letter')), CONSTRAINT "group_invitation_makes_no_owner" CHECK ("role" IN ('member', 'staff')), CONSTRAINT "group_invitation_uses_left" CHECK (("uses_left" <= ("uses_most") AND "uses_most" >= 1)));

CREATE TABLE "groups_groupmember" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "role" varchar(10) NOT NULL, "roster_id" varchar(60) NOT NULL, "name" varchar(80) NOT NULL, "alias" varchar(30) NOT NULL, "alias_key" text NULL, "cohort" varchar(60) NOT NULL, "joined_at" datetime NOT NULL, "is_untold" bool DEFAULT 0 NOT NULL, "group_id" bigint NOT NULL REFERENCES "groups_group" ("id") DEFERRABLE INITIALLY DEFERRED, "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "letter_claimed_until" datetime NULL, CONSTRAINT "group_role_known" CHECK ("role" IN ('owner', 'staff', 'member')));

CREATE TABLE "groups_mailboxletter" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "digest" varchar(64) NOT NULL, "letter" char(32) NOT NULL, "created_at" datetime NOT NULL);

CREATE TABLE "groups_memberchange" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "act" varchar(10) NOT NULL, "role" varchar(10) NOT NULL, "created_at" datetime NOT NULL, "by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "group_id" bigint NOT NULL REFERENCES "groups_group" ("id") DEFERRABLE INITIALLY DEFERRED, "person_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "member_change_act_known" CHECK ("act" IN ('joined', 'added', 'left', 'removed', 'role')), CONSTRAINT "member_change_role_known" CHECK ("role" IN ('owner', 'staff', 'member')));

CREATE TABLE "groups_rosterrow" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "roster_id" varchar(60) NOT NULL, "name" varchar(80) NOT NULL, "email" varchar(254) NOT NULL, "email_key" text NULL, "cohort" varchar(60) NOT NULL, "alias" varchar(30) NOT NULL, "alias_key" text NULL, "created_at" datetime NOT NULL, "written_at" datetime NULL, "group_id" bigint NOT NULL REFERENCES "groups_group" ("id") DEFERRABLE INITIALLY DEFERRED, "letter" char(32) NULL, "letter_claimed_until" datetime NULL, CONSTRAINT "roster_row_says_who_it_is" CHECK (NOT ("email" = '' AND "name" = '' AND "roster_id" = '')));

CREATE TABLE "hooks_delivery" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "event" char(32) NOT NULL, "kind" varchar(40) NOT NULL, "body" text NOT NULL, "state" varchar(10) NOT NULL, "due_at" datetime NOT NULL, "claims" smallint unsigned NOT NULL CHECK ("claims" >= 0), "claimed_until_at" datetime NULL, "tries" smallint unsigned NOT NULL CHECK ("tries" >= 0), "status_code" smallint unsigned NULL CHECK ("status_code" >= 0), "problem" varchar(20) NOT NULL, "created_at" datetime NOT NULL, "ended_at" datetime NULL, "hook_id" bigint NOT NULL REFERENCES "hooks_hook" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "delivery_state_known" CHECK ("state" IN ('waiting', 'delivered', 'failed')), CONSTRAINT "delivery_ended_has_a_time_and_no_claim" CHECK ((("ended_at" IS NULL AND "state" = 'waiting') OR (NOT ("state" = 'waiting') AND "claimed_until_at" IS NULL AND "ended_at" IS NOT NULL))));

CREATE TABLE "hooks_hook" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "url" varchar(500) NOT NULL, "kinds" text NOT NULL CHECK ((JSON_VALID("kinds") OR "kinds" IS NULL)), "salt" varchar(43) NOT NULL, "old_salt" varchar(43) NOT NULL, "old_salt_until_at" datetime NULL, "paused_because" varchar(10) NOT NULL, "paused_at" datetime NULL, "left_out_at" datetime NULL, "created_at" datetime NOT NULL, "owner_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "format" varchar(10) DEFAULT 'json' NOT NULL, "about" varchar(120) DEFAULT '' NOT NULL, CONSTRAINT "hook_paused_has_a_time" CHECK ((("paused_at" IS NULL AND "paused_because" = '') OR (NOT ("paused_because" = '') AND "paused_at" IS NOT NULL))), CONSTRAINT "hook_pause_known" CHECK ("paused_because" IN ('', 'owner', 'failing', 'gone')), CONSTRAINT "hook_old_secret_ends" CHECK ((("old_salt" = '' AND "old_salt_until_at" IS NULL) OR (NOT ("old_salt" = '') AND "old_salt_until_at" IS NOT NULL))), CONSTRAINT "hook_format_known" CHECK ("format" IN ('json', 'discord', 'slack', 'mattermost', 'teams')));

CREATE TABLE "knox_authtoken" ("digest" varchar(128) NOT NULL PRIMARY KEY, "created" datetime NOT NULL, "user_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "expiry" datetime NULL, "token_key" varchar(25) NOT NULL);

CREATE TABLE "league_exclusion" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "act" varchar(3) NOT NULL, "by" varchar(10) NOT NULL, "reason" varchar(300) NOT NULL, "created_at" datetime NOT NULL, "membership_id" bigint NOT NULL REFERENCES "league_membership" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "exclusion_act_known" CHECK ("act" IN ('out', 'in')), CONSTRAINT "exclusion_by_known" CHECK ("by" IN ('organiser', 'staff')), CONSTRAINT "exclusion_out_has_a_reason" CHECK ((NOT ("act" = 'out') OR NOT ("reason" = ''))));

CREATE TABLE "league_league" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(80) NOT NULL, "slug" varchar(90) NOT NULL UNIQUE, "description" text NOT NULL, "ruleset" varchar(30) NOT NULL, "options" text NOT NULL CHECK ((JSON_VALID("options") OR "options" IS NULL)), "players_per_table" smallint unsigned NOT NULL CHECK ("players_per_table" >= 0), "blocks" integer unsigned NOT NULL CHECK ("blocks" >= 0), "limits" text NOT NULL CHECK ((JSON_VALID("limits") OR "limits" IS NULL)), "bots_per_author" smallint unsigned NOT NULL CHECK ("bots_per_author" >= 0), "season_days" smallint unsigned NOT NULL CHECK ("season_days" >= 0), "state" varchar(10) NOT NULL, "organiser_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "created_at" datetime NOT NULL, "min_action_ms" integer unsigned NOT NULL CHECK ("min_action_ms" >= 0), "paused_at" datetime NULL, "name_key" text NULL, "enters_cups" bool DEFAULT 0 NOT NULL, "audience" varchar(10) DEFAULT 'public' NOT NULL, "group_id" bigint NULL REFERENCES "groups_group" ("id") DEFERRABLE INITIALLY DEFERRED, "paused_because" varchar(500) DEFAULT '' NOT NULL, "division_moves" smallint unsigned DEFAULT 2 NOT NULL CHECK ("division_moves" >= 0), "division_size" smallint unsigned DEFAULT 10 NOT NULL CHECK ("division_size" >= 0), "divisions" smallint unsigned DEFAULT 1 NOT NULL CHECK ("divisions" >= 0), "team_size" smallint unsigned NULL CHECK ("team_size" >= 0), CONSTRAINT "league_state_known" CHECK ("state" IN ('draft', 'open', 'closed')), CONSTRAINT "league_table_size" CHECK ("players_per_table" BETWEEN 2 AND 7), CONSTRAINT "league_has_a_block" CHECK ("blocks" >= 1), CONSTRAINT "league_lets_authors_join" CHECK ("bots_per_author" >= 1), CONSTRAINT "league_audience_known" CHECK ("audience" IN ('public', 'unlisted', 'group')), CONSTRAINT "league_of_a_group_has_it" CHECK ((("audience" = 'group' AND "group_id" IS NOT NULL) OR (NOT ("audience" = 'group') AND "group_id" IS NULL))), CONSTRAINT "league_divisions_few" CHECK ("divisions" BETWEEN 1 AND 10), CONSTRAINT "league_division_moves_half_at_most" CHECK (("division_moves" >= 1 AND "division_size" >= (2 * "division_moves"))), CONSTRAINT "league_team_size_lets_join" CHECK (("team_size" IS NULL OR "team_size" >= 1)));

CREATE TABLE "league_leaguedigest" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "week" date NOT NULL, "last_recipient" bigint unsigned NOT NULL CHECK ("last_recipient" >= 0), "done_at" datetime NULL, "league_id" bigint NOT NULL REFERENCES "league_league" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "league_leaguematch" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "reasons" text NOT NULL CHECK ((JSON_VALID("reasons") OR "reasons" IS NULL)), "match_id" bigint NOT NULL UNIQUE REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED, "season_id" bigint NOT NULL REFERENCES "league_season" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "league_membership" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "state" varchar(10) NOT NULL, "joined_at" datetime NOT NULL, "bot_id" bigint NOT NULL REFERENCES "bots_bot" ("id") DEFERRABLE INITIALLY DEFERRED, "league_id" bigint NOT NULL REFERENCES "league_league" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "membership_state_known" CHECK ("state" IN ('active', 'left')));

CREATE TABLE "league_rating" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "mean" real NOT NULL, "se" real NOT NULL, "place" integer unsigned NOT NULL CHECK ("place" >= 0), "rank" integer unsigned NOT NULL CHECK ("rank" >= 0), "rank_low" integer unsigned NOT NULL CHECK ("rank_low" >= 0), "rank_high" integer unsigned NOT NULL CHECK ("rank_high" >= 0), "blocks" integer unsigned NOT NULL CHECK ("blocks" >= 0), "is_provisional" bool NOT NULL, "matches" integer unsigned NOT NULL CHECK ("matches" >= 0), "games" integer unsigned NOT NULL CHECK ("games" >= 0), "score" real NOT NULL, "forfeits" integer unsigned NOT NULL CHECK ("forfeits" >= 0), "faulty_games" integer unsigned NOT NULL CHECK ("faulty_games" >= 0), "slowest_ms" real NULL, "entry_id" bigint NOT NULL REFERENCES "league_seasonentry" ("id") DEFERRABLE INITIALLY DEFERRED, "snapshot_id" bigint NOT NULL REFERENCES "league_ratingsnapshot" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "rating_rank_range" CHECK (("rank_low" >= 1 AND "rank_low" <= ("rank_high"))), CONSTRAINT "rating_has_a_spread" CHECK ("se" >= 0.0));

CREATE TABLE "league_ratingsnapshot" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "matches" integer unsigned NOT NULL CHECK ("matches" >= 0), "created_at" datetime NOT NULL, "season_id" bigint NOT NULL REFERENCES "league_season" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "league_season" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "secret" BLOB NOT NULL, "state" varchar(10) NOT NULL, "scheduled" integer unsigned NOT NULL CHECK ("scheduled" >= 0), "refits" integer unsigned NOT NULL CHECK ("refits" >= 0), "league_id" bigint NOT NULL REFERENCES "league_league" ("id") DEFERRABLE INITIALLY DEFERRED, "ends_at" datetime NULL, "finished_at" datetime NULL, "starts_at" datetime NOT NULL, "checked_at" datetime NULL, "is_wrong" bool DEFAULT 0 NOT NULL, "less_luck_matches" integer unsigned DEFAULT 0 NOT NULL CHECK ("less_luck_matches" >= 0), "luck_value" varchar(40) DEFAULT '' NOT NULL, "division_moves" smallint unsigned DEFAULT 2 NOT NULL CHECK ("division_moves" >= 0), "division_size" smallint unsigned DEFAULT 10 NOT NULL CHECK ("division_size" >= 0), "divisions" smallint unsigned DEFAULT 1 NOT NULL CHECK ("divisions" >= 0), "dataset_licence" varchar(20) DEFAULT '' NOT NULL, CONSTRAINT "season_state_known" CHECK ("state" IN ('running', 'finished')), CONSTRAINT "season_finished_has_a_time" CHECK ((("finished_at" IS NOT NULL AND "state" = 'finished') OR (NOT ("state" = 'finished') AND "finished_at" IS NULL))), CONSTRAINT "season_ends_later" CHECK (("ends_at" IS NULL OR "ends_at" > ("starts_at"))), CONSTRAINT "season_has_a_division" CHECK ("divisions" >= 1), CONSTRAINT "season_dataset_licence_known" CHECK ("dataset_licence" IN ('', 'CC0-1.0', 'CC-BY-4.0', 'CC-BY-SA-4.0', 'ODbL-1.0')), CONSTRAINT "season_dataset_is_of_one_that_is_over" CHECK (("dataset_licence" = '' OR "state" = 'finished')));

CREATE TABLE "league_seasonentry" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "prior_mean" real NOT NULL, "prior_sd" real NULL, "state" varchar(10) NOT NULL, "since" integer unsigned NOT NULL CHECK ("since" >= 0), "version_id" bigint NOT NULL REFERENCES "bots_botversion" ("id") DEFERRABLE INITIALLY DEFERRED, "membership_id" bigint NOT NULL REFERENCES "league_membership" ("id") DEFERRABLE INITIALLY DEFERRED, "season_id" bigint NOT NULL REFERENCES "league_season" ("id") DEFERRABLE INITIALLY DEFERRED, "benched_at" datetime NULL, "joined_at" datetime NOT NULL, "returned_at" datetime NULL, "less_luck_mean" real NULL, "less_luck_se" real NULL, "division" smallint unsigned DEFAULT 1 NOT NULL CHECK ("division" >= 0), "division_before" smallint unsigned NULL CHECK ("division_before" >= 0), "parent_id" bigint NULL REFERENCES "league_seasonentry" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "season_entry_state_known" CHECK ("state" IN ('playing', 'benched', 'replaced', 'left')), CONSTRAINT "season_entry_prior_has_a_spread" CHECK ("prior_sd" > 0.0), CONSTRAINT "season_entry_benched_has_a_time" CHECK ((NOT ("state" = 'benched') OR "benched_at" IS NOT NULL)), CONSTRAINT "season_entry_since_it_returned" CHECK (("since" = 0 OR "returned_at" IS NOT NULL)), CONSTRAINT "season_entry_less_luck_has_a_spread" CHECK ((("less_luck_mean" IS NULL AND "less_luck_se" IS NULL) OR ("less_luck_mean" IS NOT NULL AND "less_luck_se" >= 0.0 AND "less_luck_se" IS NOT NULL))), CONSTRAINT "season_entry_has_a_division" CHECK ("division" >= 1));

CREATE TABLE "matches_account" ("name" varchar(60) NOT NULL PRIMARY KEY, "is_paced" bool NOT NULL, "spent" real NOT NULL);

CREATE TABLE "matches_analysis" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "value" varchar(40) NOT NULL, "digest" varchar(32) NOT NULL, "told" BLOB NULL, "sums" text NULL CHECK ((JSON_VALID("sums") OR "sums" IS NULL)), "game_id" bigint NOT NULL REFERENCES "matches_game" ("id") DEFERRABLE INITIALLY DEFERRED, "claimed_at" datetime NOT NULL, "is_kept" bool NOT NULL, "is_ordered" bool NOT NULL, "requested_at" datetime NOT NULL, "requested_by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "analysis_told_of_a_record" CHECK (("told" IS NULL OR NOT ("digest" = ''))), CONSTRAINT "analysis_sums_of_a_record" CHECK (("sums" IS NULL OR NOT ("digest" = ''))), CONSTRAINT "analysis_dropped_has_sums" CHECK (("is_kept" OR ("sums" IS NOT NULL AND "told" IS NULL))));

CREATE TABLE "matches_challenge" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "state" varchar(10) NOT NULL, "day" date NOT NULL, "turn" smallint unsigned NOT NULL CHECK ("turn" >= 0), "created_at" datetime NOT NULL, "answered_at" datetime NULL, "author_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "bot_id" bigint NOT NULL REFERENCES "bots_bot" ("id") DEFERRABLE INITIALLY DEFERRED, "match_id" bigint NULL UNIQUE REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED, "opponent_id" bigint NOT NULL REFERENCES "bots_bot" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "challenge_state_known" CHECK ("state" IN ('asked', 'accepted', 'declined', 'withdrawn', 'lapsed')), CONSTRAINT "challenge_of_another_bot" CHECK (NOT ("bot_id" = ("opponent_id"))), CONSTRAINT "challenge_turns_of_a_day" CHECK ("turn" < 3), CONSTRAINT "challenge_accepted_has_a_match" CHECK (("state" = 'declined' OR ("match_id" IS NOT NULL AND "state" = 'accepted') OR ("match_id" IS NULL AND "state" IN ('asked', 'withdrawn', 'lapsed')))));

CREATE TABLE "matches_checkgame" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "attempt" integer unsigned NOT NULL CHECK ("attempt" >= 0), "stage" varchar(10) NOT NULL, "index" integer unsigned NOT NULL CHECK ("index" >= 0), "record" BLOB NOT NULL, "places" text NOT NULL CHECK ((JSON_VALID("places") OR "places" IS NULL)), "reason" varchar(40) NOT NULL, "tie_break" varchar(40) NOT NULL, "version_id" bigint NOT NULL REFERENCES "bots_botversion" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "check_game_stage_known" CHECK ("stage" IN ('mirror', 'house')));

CREATE TABLE "matches_contest" ("name" varchar(60) NOT NULL PRIMARY KEY, "block_seconds" real NULL, "news_at" datetime NULL, "notified_at" datetime NULL, "is_quiet" bool NOT NULL);

CREATE TABLE "matches_fault" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "verdict" varchar(20) NOT NULL, "action_index" integer unsigned NOT NULL CHECK ("action_index" >= 0), "exception" varchar(200) NOT NULL, "detail" text NOT NULL, "line" integer unsigned NULL CHECK ("line" >= 0), "view" text NULL CHECK ((JSON_VALID("view") OR "view" IS NULL)), "answer" varchar(300) NOT NULL, "output" text NOT NULL, "cpu" real NOT NULL, "wall" real NOT NULL, "limit" real NULL, "is_kept" bool NOT NULL, "game_id" bigint NOT NULL REFERENCES "matches_game" ("id") DEFERRABLE INITIALLY DEFERRED, "seat_id" bigint NOT NULL REFERENCES "matches_seat" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "matches_game" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "attempt" integer unsigned NOT NULL CHECK ("attempt" >= 0), "index" integer unsigned NOT NULL CHECK ("index" >= 0), "record" BLOB NOT NULL, "points" text NOT NULL CHECK ((JSON_VALID("points") OR "points" IS NULL)), "places" text NOT NULL CHECK ((JSON_VALID("places") OR "places" IS NULL)), "reason" varchar(40) NOT NULL, "tie_break" varchar(40) NOT NULL, "match_id" bigint NOT NULL REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED, "air_ms" integer unsigned NULL CHECK ("air_ms" >= 0));

CREATE TABLE "matches_match" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "ruleset" varchar(30) NOT NULL, "options" text NOT NULL CHECK ((JSON_VALID("options") OR "options" IS NULL)), "limits" text NOT NULL CHECK ((JSON_VALID("limits") OR "limits" IS NULL)), "blocks" integer unsigned NOT NULL CHECK ("blocks" >= 0), "stopping" text NOT NULL CHECK ((JSON_VALID("stopping") OR "stopping" IS NULL)), "blocks_played" integer unsigned NULL CHECK ("blocks_played" >= 0), "ending" varchar(20) NOT NULL, "llr" real NULL, "secret" BLOB NOT NULL, "audience" varchar(10) NOT NULL, "state" varchar(10) NOT NULL, "attempt" integer unsigned NOT NULL CHECK ("attempt" >= 0), "blocks_kept" integer unsigned NOT NULL CHECK ("blocks_kept" >= 0), "worker" varchar(100) NOT NULL, "platform_faults" integer unsigned NOT NULL CHECK ("platform_faults" >= 0), "workers_lost" integer unsigned NOT NULL CHECK ("workers_lost" >= 0), "last_platform_fault" varchar(300) NOT NULL, "duration_ms" integer unsigned NULL CHECK ("duration_ms" >= 0), "worker_speed" real NULL, "account_id" varchar(60) NULL REFERENCES "matches_account" ("name") DEFERRABLE INITIALLY DEFERRED, "contest_id" varchar(60) NULL REFERENCES "matches_contest" ("name") DEFERRABLE INITIALLY DEFERRED, "organiser_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "tempo" varchar(10) NOT NULL, "air_ends_at" datetime NULL, "airs_at" datetime NULL, "created_at" datetime NOT NULL, "dispatch_at" datetime NOT NULL, "finished_at" datetime NULL, "lease_expires_at" datetime NULL, "on_finished_task" varchar(80) NOT NULL, "released_at" datetime NOT NULL, "started_at" datetime NULL, "premieres_at" datetime NULL, "min_action_ms" integer unsigned NOT NULL CHECK ("min_action_ms" >= 0), "luck_value" varchar(40) DEFAULT '' NOT NULL, "wasted_ms" bigint unsigned DEFAULT 0 NOT NULL CHECK ("wasted_ms" >= 0), "code" varchar(200) DEFAULT '' NOT NULL, "group_id" bigint NULL REFERENCES "groups_group" ("id") DEFERRABLE INITIALLY DEFERRED, "is_games_fault" bool DEFAULT 0 NOT NULL, CONSTRAINT "match_has_a_block" CHECK ("blocks" >= 1), CONSTRAINT "match_plays_its_blocks_at_most" CHECK (("blocks_played" IS NULL OR ("blocks_played" >= 1 AND "blocks_played" <= ("blocks")))), CONSTRAINT "match_keeps_its_blocks_at_most" CHECK ("blocks_kept" <= ("blocks")), CONSTRAINT "match_queued_has_an_account" CHECK ((NOT ("state" = 'queued') OR "account_id" IS NOT NULL)), CONSTRAINT "match_ending_known" CHECK ("ending" IN ('', 'first_better', 'second_better', 'too_close', 'undecided', 'forfeited')), CONSTRAINT "match_state_known" CHECK ("state" IN ('held', 'queued', 'running', 'on_air', 'finished', 'cancelled')), CONSTRAINT "match_tempo_known" CHECK ("tempo" IN ('', 'highlights', 'story', 'every')), CONSTRAINT "match_leased_exactly_while_running" CHECK ((("lease_expires_at" IS NOT NULL AND "state" = 'running') OR (NOT ("state" = 'running') AND "lease_expires_at" IS NULL))), CONSTRAINT "match_on_air_has_its_times" CHECK ((NOT ("state" = 'on_air') OR (NOT ("tempo" = '') AND "air_ends_at" >= ("airs_at") AND "air_ends_at" IS NOT NULL AND "airs_at" IS NOT NULL))), CONSTRAINT "match_finished_has_a_time" CHECK ((("finished_at" IS NOT NULL AND "state" = 'finished') OR (NOT ("state" = 'finished') AND "finished_at" IS NULL))), CONSTRAINT "match_audience_known" CHECK ("audience" IN ('everyone', 'unlisted', 'group', 'authors', 'organiser')), CONSTRAINT "match_of_a_group_is_no_others" CHECK ((("audience" IN ('everyone', 'unlisted', 'authors', 'organiser') AND "group_id" IS NULL) OR ("audience" IN ('group', 'authors', 'organiser') AND "group_id" IS NOT NULL))));

CREATE TABLE "matches_matchlog" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "attempt" integer unsigned NOT NULL CHECK ("attempt" >= 0), "game" integer unsigned NOT NULL CHECK ("game" >= 0), "seed" BLOB NOT NULL, "actions" text NOT NULL, "interventions" text NOT NULL CHECK ((JSON_VALID("interventions") OR "interventions" IS NULL)), "match_id" bigint NOT NULL REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "matches_seat" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "index" smallint unsigned NOT NULL CHECK ("index" >= 0), "score" real NULL, "points" integer NULL, "wins" integer unsigned NULL CHECK ("wins" >= 0), "places" text NOT NULL CHECK ((JSON_VALID("places") OR "places" IS NULL)), "faulty_games" integer unsigned NOT NULL CHECK ("faulty_games" >= 0), "cpu_ms" real NULL, "slowest_ms" real NULL, "match_id" bigint NOT NULL REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED, "version_id" bigint NOT NULL REFERENCES "bots_botversion" ("id") DEFERRABLE INITIALLY DEFERRED, "has_forfeited" bool NOT NULL, "boxes_lost" smallint unsigned DEFAULT 0 NOT NULL CHECK ("boxes_lost" >= 0), "explains" bool DEFAULT 0 NOT NULL);

CREATE TABLE "matches_seatlog" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "first_game" integer unsigned NOT NULL CHECK ("first_game" >= 0), "games" integer unsigned NOT NULL CHECK ("games" >= 0), "printed" integer unsigned NOT NULL CHECK ("printed" >= 0), "size" integer unsigned NOT NULL CHECK ("size" >= 0), "times" text NOT NULL CHECK ((JSON_VALID("times") OR "times" IS NULL)), "slowest_ms" real NOT NULL, "content" BLOB NOT NULL, "created_at" datetime NOT NULL, "bot_id" bigint NOT NULL REFERENCES "bots_bot" ("id") DEFERRABLE INITIALLY DEFERRED, "seat_id" bigint NOT NULL REFERENCES "matches_seat" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "seat_log_has_a_game" CHECK ("games" >= 1), CONSTRAINT "seat_log_size_has_its_text" CHECK ("size" >= ("printed")));

CREATE TABLE "matches_seatnotes" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "first_game" integer unsigned NOT NULL CHECK ("first_game" >= 0), "last_game" integer unsigned NOT NULL CHECK ("last_game" >= 0), "size" integer unsigned NOT NULL CHECK ("size" >= 0), "content" BLOB NOT NULL, "bot_id" bigint NOT NULL REFERENCES "bots_bot" ("id") DEFERRABLE INITIALLY DEFERRED, "seat_id" bigint NOT NULL REFERENCES "matches_seat" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "seat_notes_have_a_game" CHECK ("last_game" >= ("first_game")));

CREATE TABLE "matches_sparring" ("match_id" bigint NOT NULL PRIMARY KEY REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED, "created_at" datetime NOT NULL, "author_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "matches_workerpresence" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(100) NOT NULL UNIQUE, "denied" text NOT NULL, "slots" integer unsigned NOT NULL CHECK ("slots" >= 0), "clock_ahead" real NOT NULL, "seen_at" datetime NOT NULL, "is_drained" bool DEFAULT 0 NOT NULL, "games" text NULL CHECK ((JSON_VALID("games") OR "games" IS NULL)));

CREATE TABLE "mfa_authenticator" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "type" varchar(20) NOT NULL, "data" text NOT NULL CHECK ((JSON_VALID("data") OR "data" IS NULL)), "user_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "created_at" datetime NOT NULL, "last_used_at" datetime NULL);

CREATE TABLE "notices_follow" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(20) NOT NULL, "target" bigint unsigned NOT NULL CHECK ("target" >= 0), "created_at" datetime NOT NULL, "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "notices_notice" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "event" char(32) NOT NULL, "kind" varchar(40) NOT NULL, "data" text NOT NULL CHECK ((JSON_VALID("data") OR "data" IS NULL)), "in_inbox" bool NOT NULL, "created_at" datetime NOT NULL, "read_at" datetime NULL, "email_at" datetime NULL, "email_batch" char(32) NULL, "email_claimed_until" datetime NULL, "emailed_at" datetime NULL, "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "notice_emailed_in_a_batch" CHECK (("emailed_at" IS NULL OR ("email_batch" IS NOT NULL AND "email_claimed_until" IS NULL))), CONSTRAINT "notice_batch_was_due" CHECK (("email_batch" IS NULL OR "email_at" IS NOT NULL)));

CREATE TABLE "notices_noticechoice" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(40) NOT NULL, "in_inbox" bool NOT NULL, "email" varchar(10) NOT NULL, "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "push" bool DEFAULT 0 NOT NULL, CONSTRAINT "notice_choice_email_known" CHECK ("email" IN ('never', 'now', 'daily', 'weekly')));

CREATE TABLE "notices_pushdelivery" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "due_at" datetime NOT NULL, "sent_at" datetime NULL, "notice_id" bigint NOT NULL REFERENCES "notices_notice" ("id") DEFERRABLE INITIALLY DEFERRED, "subscription_id" bigint NOT NULL REFERENCES "notices_pushsubscription" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "notices_pushsubscription" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "endpoint" varchar(500) NOT NULL, "digest" varchar(64) NOT NULL UNIQUE, "p256dh" varchar(87) NOT NULL, "auth" varchar(22) NOT NULL, "browser" varchar(60) NOT NULL, "created_at" datetime NOT NULL, "claims" integer unsigned NOT NULL CHECK ("claims" >= 0), "claimed_until_at" datetime NULL, "tag" char(32) NULL, "tries" smallint unsigned NOT NULL CHECK ("tries" >= 0), "retry_at" datetime NULL, "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "push_claim_has_a_tag" CHECK (("claimed_until_at" IS NULL OR "tag" IS NOT NULL)), CONSTRAINT "push_failure_is_retried" CHECK (("tries" = 0 OR "retry_at" IS NOT NULL)));

CREATE TABLE "notices_quiethours" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "start" time NOT NULL, "end" time NOT NULL, "time_zone" varchar(50) NOT NULL, "person_id" bigint NOT NULL UNIQUE REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "quiet_hours_end" CHECK (NOT ("start" = ("end"))));

CREATE TABLE "operations_backup" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "made_at" datetime NOT NULL, "size" bigint unsigned NOT NULL CHECK ("size" >= 0), "sha256" varchar(64) NOT NULL);

CREATE TABLE "operations_incident" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "text" varchar(300) NOT NULL, "began_at" datetime NOT NULL, "ended_at" datetime NULL, CONSTRAINT "incident_ends_after_it_began" CHECK (("ended_at" IS NULL OR "ended_at" >= ("began_at"))));

CREATE TABLE "operations_tablesize" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "table" varchar(100) NOT NULL, "day" date NOT NULL, "size" bigint unsigned NOT NULL CHECK ("size" >= 0));

CREATE TABLE "organisers_organiserallowance" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "worker_hours" integer unsigned NOT NULL CHECK ("worker_hours" >= 0), "person_id" bigint NOT NULL UNIQUE REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "organisers_organiserchange" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "is_granted" bool NOT NULL, "created_at" datetime NOT NULL, "by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "organisers_organiserrequest" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "reason" text NOT NULL, "decided_by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "created_at" datetime NOT NULL, "decided_at" datetime NULL, "is_granted" bool NULL, CONSTRAINT "request_decided_has_a_time" CHECK ((("decided_at" IS NULL AND "is_granted" IS NULL) OR ("decided_at" IS NOT NULL AND "is_granted" IS NOT NULL))));

CREATE TABLE "puzzles_puzzle" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "game" varchar(40) NOT NULL, "ruleset" varchar(50) NOT NULL, "value" varchar(80) NOT NULL, "seat" smallint unsigned NOT NULL CHECK ("seat" >= 0), "bots" text NOT NULL CHECK ((JSON_VALID("bots") OR "bots" IS NULL)), "board" text NOT NULL CHECK ((JSON_VALID("board") OR "board" IS NULL)), "view" text NOT NULL CHECK ((JSON_VALID("view") OR "view" IS NULL)), "options" text NOT NULL CHECK ((JSON_VALID("options") OR "options" IS NULL)), "played" varchar(200) NOT NULL, "digest" BLOB NOT NULL UNIQUE, "rating" real NOT NULL, "answers" integer unsigned NOT NULL CHECK ("answers" >= 0), "solved" integer unsigned NOT NULL CHECK ("solved" >= 0), "created_at" datetime NOT NULL, CONSTRAINT "puzzle_solved_at_most_answered" CHECK ("solved" <= ("answers")));

CREATE TABLE "puzzles_puzzleanswer" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "action" varchar(200) NOT NULL, "lost" bigint NOT NULL, "change" real NOT NULL, "created_at" datetime NOT NULL, "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "puzzle_id" bigint NOT NULL REFERENCES "puzzles_puzzle" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "puzzle_answered_once" UNIQUE ("person_id", "puzzle_id"), CONSTRAINT "puzzle_answer_lost_is_a_share" CHECK (("lost" >= 0 AND "lost" <= 1000000000)));

CREATE TABLE "puzzles_puzzlerating" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "game" varchar(40) NOT NULL, "rating" real NOT NULL, "answers" integer unsigned NOT NULL CHECK ("answers" >= 0), "solved" integer unsigned NOT NULL CHECK ("solved" >= 0), "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "puzzle_rating_once" UNIQUE ("person_id", "game"), CONSTRAINT "puzzle_rating_solved_at_most_answered" CHECK ("solved" <= ("answers")));

CREATE TABLE "series_seriesevent" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime NOT NULL, "tournament_id" bigint NOT NULL UNIQUE REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, "series_id" bigint NOT NULL REFERENCES "series_tournamentseries" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "series_tournamentseries" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "audience" varchar(10) DEFAULT 'public' NOT NULL, "name" varchar(80) NOT NULL, "name_key" text NULL, "slug" varchar(90) NOT NULL UNIQUE, "description" text NOT NULL, "game" varchar(30) NOT NULL, "scoring" varchar(10) NOT NULL, "place_points" text NOT NULL CHECK ((JSON_VALID("place_points") OR "place_points" IS NULL)), "best" smallint unsigned NOT NULL CHECK ("best" >= 0), "created_at" datetime NOT NULL, "revision" bigint unsigned NOT NULL CHECK ("revision" >= 0), "group_id" bigint NULL REFERENCES "groups_group" ("id") DEFERRABLE INITIALLY DEFERRED, "organiser_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "ended_at" datetime NULL, CONSTRAINT "series_audience_known" CHECK ("audience" IN ('public', 'unlisted', 'group')), CONSTRAINT "series_of_a_group_has_it" CHECK ((("audience" = 'group' AND "group_id" IS NOT NULL) OR (NOT ("audience" = 'group') AND "group_id" IS NULL))), CONSTRAINT "series_scoring_known" CHECK ("scoring" IN ('places', 'share')), CONSTRAINT "series_best_bounded" CHECK ("best" <= 60), CONSTRAINT "series_has_a_game" CHECK (NOT ("game" = '')));

CREATE TABLE "socialaccount_socialaccount" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "provider" varchar(200) NOT NULL, "uid" varchar(191) NOT NULL, "last_login" datetime NOT NULL, "date_joined" datetime NOT NULL, "user_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "extra_data" text NOT NULL CHECK ((JSON_VALID("extra_data") OR "extra_data" IS NULL)));

CREATE TABLE "socialaccount_socialapp" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "provider" varchar(30) NOT NULL, "name" varchar(40) NOT NULL, "client_id" varchar(191) NOT NULL, "secret" varchar(191) NOT NULL, "key" varchar(191) NOT NULL, "provider_id" varchar(200) NOT NULL, "settings" text NOT NULL CHECK ((JSON_VALID("settings") OR "settings" IS NULL)));

CREATE TABLE "socialaccount_socialtoken" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "token" text NOT NULL, "token_secret" text NOT NULL, "expires_at" datetime NULL, "account_id" integer NOT NULL REFERENCES "socialaccount_socialaccount" ("id") DEFERRABLE INITIALLY DEFERRED, "app_id" integer NULL REFERENCES "socialaccount_socialapp" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "teams_team" ("account_id" bigint NOT NULL PRIMARY KEY REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "slug" varchar(40) NOT NULL UNIQUE, "created_at" datetime NOT NULL);

CREATE TABLE "teams_teamchange" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "act" varchar(10) NOT NULL, "created_at" datetime NOT NULL, "by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "person_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "team_id" bigint NOT NULL REFERENCES "teams_team" ("account_id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "team_change_act_known" CHECK ("act" IN ('founded', 'joined', 'left', 'removed', 'captain')));

CREATE TABLE "teams_teaminvitation" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "digest" varchar(64) NOT NULL UNIQUE, "uses_most" integer unsigned NOT NULL CHECK ("uses_most" >= 0), "uses_left" integer unsigned NOT NULL CHECK ("uses_left" >= 0), "created_at" datetime NOT NULL, "expires_at" datetime NOT NULL, "revoked_at" datetime NULL, "created_by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "team_id" bigint NOT NULL REFERENCES "teams_team" ("account_id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "team_invitation_uses_left" CHECK (("uses_left" <= ("uses_most") AND "uses_most" >= 1)));

CREATE TABLE "teams_teammember" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "is_captain" bool NOT NULL, "joined_at" datetime NOT NULL, "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "team_id" bigint NOT NULL REFERENCES "teams_team" ("account_id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "team_is_not_its_own_member" CHECK (NOT ("team_id" = ("person_id"))));

CREATE TABLE "tournaments_bye" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "points" smallint unsigned NOT NULL CHECK ("points" >= 0), "reasons" text NOT NULL CHECK ((JSON_VALID("reasons") OR "reasons" IS NULL)), "entry_id" bigint NOT NULL REFERENCES "tournaments_entry" ("id") DEFERRABLE INITIALLY DEFERRED, "round_id" bigint NOT NULL REFERENCES "tournaments_round" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "tournaments_ceremony" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "planned_at" datetime NULL, "pace" smallint unsigned NOT NULL CHECK ("pace" >= 0), "started_at" datetime NULL, "left" integer unsigned NULL CHECK ("left" >= 0), "revealed" text NOT NULL CHECK ((JSON_VALID("revealed") OR "revealed" IS NULL)), "due_at" datetime NULL, "ended_at" datetime NULL, "tournament_id" bigint NOT NULL UNIQUE REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "ceremony_pace_bounded" CHECK ("pace" <= 120), CONSTRAINT "ceremony_started_has_places_left" CHECK ((("ended_at" IS NULL AND "left" IS NULL AND "started_at" IS NULL) OR ("left" IS NOT NULL AND "started_at" IS NOT NULL))), CONSTRAINT "ceremony_is_due_while_it_goes_on" CHECK ((("due_at" IS NOT NULL AND "ended_at" IS NULL AND "started_at" IS NOT NULL) OR ("due_at" IS NULL AND ("started_at" IS NULL OR "ended_at" IS NOT NULL)))));

CREATE TABLE "tournaments_chainlink" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "kind" varchar(12) NOT NULL, "at" varchar(27) NOT NULL, "content" text NOT NULL, "previous" varchar(64) NOT NULL, "digest" varchar(64) NOT NULL, "match_id" bigint NULL UNIQUE REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED, "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "tournaments_entry" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "withdrawn_at" datetime NULL, "left_at" datetime NULL, "struck_at" datetime NULL, "withdrawn_because" varchar(20) NOT NULL, "forfeits" smallint unsigned NOT NULL CHECK ("forfeits" >= 0), "bot_id" bigint NOT NULL REFERENCES "bots_bot" ("id") DEFERRABLE INITIALLY DEFERRED, "version_id" bigint NULL REFERENCES "bots_botversion" ("id") DEFERRABLE INITIALLY DEFERRED, "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, "created_at" datetime NOT NULL, "is_withdrawn" bool NOT NULL, "ladder_place" integer unsigned NULL CHECK ("ladder_place" >= 0), "category" varchar(60) DEFAULT '' NOT NULL, "sources_agreed_at" datetime NULL, "sources_agreed_by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "entry_withdrawal_known" CHECK (("withdrawn_because" = '' OR ("is_withdrawn" AND "withdrawn_because" IN ('forfeits', 'deleted')))), CONSTRAINT "entry_that_is_in_has_not_left" CHECK (("is_withdrawn" OR "withdrawn_at" IS NULL)), CONSTRAINT "entry_out_for_any_reason_is_withdrawn" CHECK (("is_withdrawn" OR ("left_at" IS NULL AND "struck_at" IS NULL))), CONSTRAINT "entry_ladder_place_counts_from_one" CHECK ("ladder_place" >= 1), CONSTRAINT "entry_agreement_has_a_time" CHECK (("sources_agreed_at" IS NOT NULL OR "sources_agreed_by_id" IS NULL)));

CREATE TABLE "tournaments_entryanswers" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "answers" text NOT NULL CHECK ((JSON_VALID("answers") OR "answers" IS NULL)), "answered_at" datetime NOT NULL, "by_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "entry_id" bigint NOT NULL UNIQUE REFERENCES "tournaments_entry" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "tournaments_fixture" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "table" integer unsigned NOT NULL CHECK ("table" >= 0), "attempt" smallint unsigned NOT NULL CHECK ("attempt" >= 0), "luck" smallint unsigned NOT NULL CHECK ("luck" >= 0), "reasons" text NULL CHECK ((JSON_VALID("reasons") OR "reasons" IS NULL)), "match_id" bigint NOT NULL UNIQUE REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED, "round_id" bigint NOT NULL REFERENCES "tournaments_round" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "fixture_is_an_attempt" CHECK ("attempt" >= 1));

CREATE TABLE "tournaments_forbiddenpair" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime NOT NULL, "one_id" bigint NOT NULL REFERENCES "tournaments_entry" ("id") DEFERRABLE INITIALLY DEFERRED, "other_id" bigint NOT NULL REFERENCES "tournaments_entry" ("id") DEFERRABLE INITIALLY DEFERRED, "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "forbidden_pair_in_order" CHECK ("one_id" < ("other_id")));

CREATE TABLE "tournaments_invitation" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "digest" varchar(64) NOT NULL, "tournament_id" bigint NOT NULL UNIQUE REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, "made_at" datetime NULL, CONSTRAINT "invitation_that_holds_was_made" CHECK (("digest" = '' OR ("made_at" IS NOT NULL AND "number" >= 1))));

CREATE TABLE "tournaments_keptgroup" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "is_of_author" bool NOT NULL, "created_at" datetime NOT NULL, "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "tournaments_keptgroup_entries" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "keptgroup_id" bigint NOT NULL REFERENCES "tournaments_keptgroup" ("id") DEFERRABLE INITIALLY DEFERRED, "entry_id" bigint NOT NULL REFERENCES "tournaments_entry" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "tournaments_laddercup" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "best" smallint unsigned NOT NULL CHECK ("best" >= 0), "passed_over" text NOT NULL CHECK ((JSON_VALID("passed_over") OR "passed_over" IS NULL)), "season_id" bigint NOT NULL REFERENCES "league_season" ("id") DEFERRABLE INITIALLY DEFERRED, "tournament_id" bigint NOT NULL UNIQUE REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, "number" integer unsigned NULL CHECK ("number" >= 0), "weekly_id" bigint NULL REFERENCES "tournaments_weeklycup" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "ladder_cup_of_two_at_least" CHECK ("best" >= 2), CONSTRAINT "ladder_cup_of_a_week_has_a_number" CHECK ((("number" IS NULL AND "weekly_id" IS NULL) OR ("number" >= 1 AND "number" IS NOT NULL AND "weekly_id" IS NOT NULL))));

CREATE TABLE "tournaments_luck" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" smallint unsigned NOT NULL CHECK ("number" >= 0), "secret" BLOB NOT NULL, "entries" text NULL CHECK ((JSON_VALID("entries") OR "entries" IS NULL)), "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, "created_at" datetime NOT NULL, "frozen_at" datetime NULL, "started_at" datetime NULL, "frozen_digest" varchar(64) DEFAULT '' NOT NULL, CONSTRAINT "luck_numbered_from_one" CHECK ("number" >= 1), CONSTRAINT "luck_frozen_has_entries" CHECK (("frozen_at" IS NULL OR "entries" IS NOT NULL)));

CREATE TABLE "tournaments_nonce" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" smallint unsigned NOT NULL CHECK ("number" >= 0), "text" varchar(100) NOT NULL, "by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "luck_id" bigint NOT NULL REFERENCES "tournaments_luck" ("id") DEFERRABLE INITIALLY DEFERRED, "created_at" datetime NOT NULL, "alias" varchar(200) DEFAULT '' NOT NULL, CONSTRAINT "nonce_says_something" CHECK (NOT ("text" = '')));

CREATE TABLE "tournaments_rewound" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "seeds" text NOT NULL CHECK ((JSON_VALID("seeds") OR "seeds" IS NULL)), "byes" text NOT NULL CHECK ((JSON_VALID("byes") OR "byes" IS NULL)), "times" text NOT NULL CHECK ((JSON_VALID("times") OR "times" IS NULL)), "ruling_id" bigint NOT NULL REFERENCES "tournaments_ruling" ("id") DEFERRABLE INITIALLY DEFERRED, "stage_id" bigint NOT NULL REFERENCES "tournaments_stage" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "tournaments_round" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "luck" smallint unsigned NOT NULL CHECK ("luck" >= 0), "starts_at" datetime NULL, "arrangements" text NOT NULL CHECK ((JSON_VALID("arrangements") OR "arrangements" IS NULL)), "spare" text NOT NULL CHECK ((JSON_VALID("spare") OR "spare" IS NULL)), "stage_id" bigint NOT NULL REFERENCES "tournaments_stage" ("id") DEFERRABLE INITIALLY DEFERRED, "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, "tempo" varchar(10) NOT NULL, "created_at" datetime NOT NULL, "started_at" datetime NULL, "premieres_at" datetime NULL, CONSTRAINT "round_tempo_known" CHECK ("tempo" IN ('', 'highlights', 'story', 'every')), CONSTRAINT "round_premiere_has_a_tempo" CHECK ((("premieres_at" IS NULL AND "tempo" = '') OR ("premieres_at" IS NOT NULL AND NOT ("tempo" = '')))));

CREATE TABLE "tournaments_roundplan" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "stage" smallint unsigned NOT NULL CHECK ("stage" >= 0), "place" integer unsigned NOT NULL CHECK ("place" >= 0), "starts_at" datetime NULL, "premieres_at" datetime NULL, "tempo" varchar(10) NOT NULL, "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "round_plan_tempo_known" CHECK ("tempo" IN ('', 'highlights', 'story', 'every')), CONSTRAINT "round_plan_premiere_has_a_tempo" CHECK ((("premieres_at" IS NULL AND "tempo" = '') OR ("premieres_at" IS NOT NULL AND NOT ("tempo" = '')))));

CREATE TABLE "tournaments_ruling" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "kind" varchar(12) NOT NULL, "data" text NOT NULL CHECK ((JSON_VALID("data") OR "data" IS NULL)), "reason" text NOT NULL, "basis" varchar(64) NOT NULL, "created_at" datetime NOT NULL, "by_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "entry_id" bigint NULL REFERENCES "tournaments_entry" ("id") DEFERRABLE INITIALLY DEFERRED, "match_id" bigint NULL REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED, "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, "names_id" bigint NULL REFERENCES "tournaments_ruling" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "ruling_kind_known" CHECK ("kind" IN ('void', 'replay', 'replace', 'disqualify', 'reinstate', 'withdraw', 'take_back', 'reopen', 'note')), CONSTRAINT "ruling_has_a_reason" CHECK (NOT ("reason" = '')), CONSTRAINT "ruling_about_a_match_names_it" CHECK ((NOT ("kind" IN ('void', 'replay', 'replace')) OR ("entry_id" IS NULL AND "match_id" IS NOT NULL))), CONSTRAINT "ruling_about_a_bot_names_it" CHECK ((NOT ("kind" IN ('disqualify', 'withdraw')) OR ("entry_id" IS NOT NULL AND "match_id" IS NULL))), CONSTRAINT "ruling_taken_back_names_one" CHECK ((NOT ("kind" = 'reinstate') OR ("entry_id" IS NULL AND "match_id" IS NOT NULL) OR ("entry_id" IS NOT NULL AND "match_id" IS NULL))), CONSTRAINT "ruling_names_what_it_takes_back" CHECK ((("kind" = 'take_back' AND "names_id" IS NOT NULL) OR (NOT ("kind" = 'take_back') AND "names_id" IS NULL))));

CREATE TABLE "tournaments_sealedname" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "whose" varchar(30) NOT NULL, "salt" varchar(32) NOT NULL, "digest" varchar(64) NOT NULL, "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "tournaments_seed" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" smallint unsigned NOT NULL CHECK ("number" >= 0), "entry_id" bigint NOT NULL REFERENCES "tournaments_entry" ("id") DEFERRABLE INITIALLY DEFERRED, "stage_id" bigint NOT NULL REFERENCES "tournaments_stage" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "tournaments_stage" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" smallint unsigned NOT NULL CHECK ("number" >= 0), "format" varchar(20) NOT NULL, "rounds" smallint unsigned NOT NULL CHECK ("rounds" >= 0), "drawn" smallint unsigned NOT NULL CHECK ("drawn" >= 0), "entrants" smallint unsigned NOT NULL CHECK ("entrants" >= 0), "players_per_table" smallint unsigned NOT NULL CHECK ("players_per_table" >= 0), "smallest_table" smallint unsigned NOT NULL CHECK ("smallest_table" >= 0), "blocks" integer unsigned NOT NULL CHECK ("blocks" >= 0), "stopping" text NOT NULL CHECK ((JSON_VALID("stopping") OR "stopping" IS NULL)), "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, "finished_at" datetime NULL, "has_third_place" bool NOT NULL, "started_at" datetime NULL, CONSTRAINT "stage_table_size" CHECK ("players_per_table" BETWEEN 2 AND 7), CONSTRAINT "stage_smallest_table" CHECK (("smallest_table" >= 2 AND "smallest_table" <= ("players_per_table"))), CONSTRAINT "stage_has_a_format" CHECK (NOT ("format" = '')), CONSTRAINT "stage_draws_no_more_rounds" CHECK (("rounds" = 0 OR "drawn" <= ("rounds"))), CONSTRAINT "stage_has_a_block" CHECK ("blocks" >= 1), CONSTRAINT "stage_finishes_after_its_start" CHECK (("finished_at" IS NULL OR "started_at" IS NOT NULL)), CONSTRAINT "stage_draws_after_its_start" CHECK (("drawn" = 0 OR "started_at" IS NOT NULL)));

CREATE TABLE "tournaments_supersededmatch" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "round" integer unsigned NOT NULL CHECK ("round" >= 0), "table" integer unsigned NOT NULL CHECK ("table" >= 0), "attempt" smallint unsigned NOT NULL CHECK ("attempt" >= 0), "luck" smallint unsigned NOT NULL CHECK ("luck" >= 0), "reasons" text NULL CHECK ((JSON_VALID("reasons") OR "reasons" IS NULL)), "starts_at" datetime NULL, "started_at" datetime NULL, "match_id" bigint NOT NULL UNIQUE REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED, "rewound_id" bigint NULL REFERENCES "tournaments_rewound" ("id") DEFERRABLE INITIALLY DEFERRED, "ruling_id" bigint NOT NULL REFERENCES "tournaments_ruling" ("id") DEFERRABLE INITIALLY DEFERRED, "stage_id" bigint NULL REFERENCES "tournaments_stage" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "superseded_match_was_an_attempt" CHECK ("attempt" >= 1));

CREATE TABLE "tournaments_teamplayer" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "person_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "team_id" bigint NOT NULL REFERENCES "teams_team" ("account_id") DEFERRABLE INITIALLY DEFERRED, "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "tournaments_tournament" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(80) NOT NULL, "slug" varchar(90) NOT NULL UNIQUE, "description" text NOT NULL, "ruleset" varchar(30) NOT NULL, "options" text NOT NULL CHECK ((JSON_VALID("options") OR "options" IS NULL)), "limits" text NOT NULL CHECK ((JSON_VALID("limits") OR "limits" IS NULL)), "tie_breaks" text NOT NULL CHECK ((JSON_VALID("tie_breaks") OR "tie_breaks" IS NULL)), "entrants_most" smallint unsigned NOT NULL CHECK ("entrants_most" >= 0), "entries_per_author" smallint unsigned NOT NULL CHECK ("entries_per_author" >= 0), "admission" varchar(12) NOT NULL, "publication" varchar(12) NOT NULL, "entries_close_at" datetime NULL, "first_round_at" datetime NULL, "round_minutes" integer unsigned NOT NULL CHECK ("round_minutes" >= 0), "state" varchar(10) NOT NULL, "organiser_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, "luck_value" varchar(40) NOT NULL, "tempo" varchar(10) NOT NULL, "created_at" datetime NOT NULL, "finished_at" datetime NULL, "has_round_review" bool NOT NULL, "started_at" datetime NULL, "min_action_ms" integer unsigned NOT NULL CHECK ("min_action_ms" >= 0), "revision" bigint unsigned NOT NULL CHECK ("revision" >= 0), "entries_missed" smallint unsigned DEFAULT 0 NOT NULL CHECK ("entries_missed" >= 0), "starts_missed" smallint unsigned DEFAULT 0 NOT NULL CHECK ("starts_missed" >= 0), "name_key" text NULL, "keep_apart" varchar(10) DEFAULT '' NOT NULL, "time_zone" varchar(40) DEFAULT 'UTC' NOT NULL, "audience" varchar(10) DEFAULT 'public' NOT NULL, "group_id" bigint NULL REFERENCES "groups_group" ("id") DEFERRABLE INITIALLY DEFERRED, "copied_days" smallint unsigned NULL CHECK ("copied_days" >= 0), "paused_because" varchar(500) DEFAULT '' NOT NULL, "entries_open_at" datetime NULL, "registration" text DEFAULT '[]' NOT NULL CHECK ((JSON_VALID("registration") OR "registration" IS NULL)), "releases_sources" bool DEFAULT 0 NOT NULL, "sources_at" datetime NULL, "sources_by_hand" bool DEFAULT 0 NOT NULL, "sources_released_at" datetime NULL, "dataset_licence" varchar(20) DEFAULT '' NOT NULL, "new_versions" varchar(20) DEFAULT 'never' NOT NULL, "team_size" smallint unsigned NULL CHECK ("team_size" >= 0), "cancelled_at" datetime NULL, "cancelled_by" varchar(10) DEFAULT '' NOT NULL, "cancelled_reason" varchar(300) DEFAULT '' NOT NULL, "copied_from_id" bigint NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "tournament_state_known" CHECK ("state" IN ('draft', 'open', 'locked', 'running', 'paused', 'finished', 'cancelled')), CONSTRAINT "tournament_publication_known" CHECK ("publication" IN ('everyone', 'participants', 'hidden')), CONSTRAINT "tournament_admission_known" CHECK ("admission" IN ('everyone', 'invited')), CONSTRAINT "tournament_lets_authors_enter" CHECK ("entries_per_author" >= 1), CONSTRAINT "tournament_started_has_a_time" CHECK (("started_at" IS NOT NULL OR NOT ("state" IN ('running', 'paused', 'finished')))), CONSTRAINT "tournament_finished_has_a_time" CHECK ((("finished_at" IS NOT NULL AND "state" = 'finished') OR (NOT ("state" = 'finished') AND "finished_at" IS NULL))), CONSTRAINT "tournament_entrants_most_bounded" CHECK ("entrants_most" BETWEEN 2 AND 5000), CONSTRAINT "tournament_misses_two_starts_at_most" CHECK ("starts_missed" <= 2), CONSTRAINT "tournament_keep_apart_known" CHECK ("keep_apart" IN ('', 'author')), CONSTRAINT "tournament_has_a_time_zone" CHECK (NOT ("time_zone" = '')), CONSTRAINT "tournament_audience_known" CHECK ("audience" IN ('public', 'unlisted', 'group')), CONSTRAINT "tournament_of_a_group_has_it" CHECK ((("audience" = 'group' AND "group_id" IS NOT NULL) OR (NOT ("audience" = 'group') AND "group_id" IS NULL))), CONSTRAINT "tournament_released_sources_were_announced" CHECK (("releases_sources" OR "sources_released_at" IS NULL)), CONSTRAINT "tournament_sources_by_hand_have_no_time" CHECK ((NOT "sources_by_hand" OR "sources_at" IS NULL)), CONSTRAINT "tournament_dataset_licence_known" CHECK ("dataset_licence" IN ('', 'CC0-1.0', 'CC-BY-4.0', 'CC-BY-SA-4.0', 'ODbL-1.0')), CONSTRAINT "tournament_new_versions_known" CHECK ("new_versions" IN ('never', 'between_stages', 'between_rounds')), CONSTRAINT "tournament_team_size_lets_enter" CHECK (("team_size" IS NULL OR "team_size" >= 1)), CONSTRAINT "tournament_cancelled_alone_says_so" CHECK (("state" = 'cancelled' OR ("cancelled_at" IS NULL AND "cancelled_by" = '' AND "cancelled_reason" = ''))), CONSTRAINT "tournament_cancelled_by_known" CHECK ("cancelled_by" IN ('', 'organiser', 'staff')));

CREATE TABLE "tournaments_tournament_arbiters" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "tournament_id" bigint NOT NULL REFERENCES "tournaments_tournament" ("id") DEFERRABLE INITIALLY DEFERRED, "user_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "tournaments_tournamenttemplate" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(80) NOT NULL, "name_key" text NULL, "fields" text NOT NULL CHECK ((JSON_VALID("fields") OR "fields" IS NULL)), "registration" text NOT NULL CHECK ((JSON_VALID("registration") OR "registration" IS NULL)), "plans" text NOT NULL CHECK ((JSON_VALID("plans") OR "plans" IS NULL)), "created_at" datetime NOT NULL, "group_id" bigint NULL REFERENCES "groups_group" ("id") DEFERRABLE INITIALLY DEFERRED, "organiser_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "template_of_a_person_or_a_group" CHECK ((("group_id" IS NULL AND "organiser_id" IS NOT NULL) OR ("group_id" IS NOT NULL AND "organiser_id" IS NULL))), CONSTRAINT "template_has_a_name" CHECK (NOT ("name" = '')));

CREATE TABLE "tournaments_weeklycup" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(70) NOT NULL, "preset" varchar(20) NOT NULL, "best" smallint unsigned NOT NULL CHECK ("best" >= 0), "time_zone" varchar(40) NOT NULL, "first_at" datetime NOT NULL, "next_at" datetime NOT NULL, "week" integer unsigned NOT NULL CHECK ("week" >= 0), "made" integer unsigned NOT NULL CHECK ("made" >= 0), "missed_at" datetime NULL, "missed_because" varchar(10) NOT NULL, "created_at" datetime NOT NULL, "ended_at" datetime NULL, "ended_because" varchar(10) NOT NULL, "season_id" bigint NOT NULL REFERENCES "league_season" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "weekly_cup_of_two_at_least" CHECK ("best" >= 2), CONSTRAINT "weekly_cup_has_a_time_zone" CHECK (NOT ("time_zone" = '')), CONSTRAINT "weekly_cup_once_a_week" CHECK ("made" <= ("week")), CONSTRAINT "weekly_cup_missed_for_a_reason" CHECK ((("missed_at" IS NULL AND "missed_because" = '') OR ("missed_at" IS NOT NULL AND "missed_because" IN ('late', 'too_few', 'refused')))), CONSTRAINT "weekly_cup_ended_for_a_reason" CHECK ((("ended_at" IS NULL AND "ended_because" = '') OR ("ended_at" IS NOT NULL AND "ended_because" IN ('organiser', 'season')))));

CREATE TABLE "web_keptanswer" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "key" varchar(255) NOT NULL, "digest" varchar(64) NOT NULL, "status" smallint unsigned NULL CHECK ("status" >= 0), "body" text NOT NULL, "location" varchar(400) NOT NULL, "created_at" datetime NOT NULL, "user_id" bigint NOT NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "kept_answer_is_a_success" CHECK (("status" IS NULL OR "status" BETWEEN 200 AND 299)));

CREATE TABLE "web_preparedfile" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(40) NOT NULL, "subject" bigint unsigned NOT NULL CHECK ("subject" >= 0), "name" varchar(60) NOT NULL, "revision" varchar(64) NOT NULL, "state" varchar(10) NOT NULL, "asked_at" datetime NOT NULL, "attempt" integer unsigned NOT NULL CHECK ("attempt" >= 0), "broken" smallint unsigned NOT NULL CHECK ("broken" >= 0), "leased_until" datetime NULL, "size" bigint unsigned NOT NULL CHECK ("size" >= 0), "pieces" integer unsigned NOT NULL CHECK ("pieces" >= 0), "made_at" datetime NULL, "used_at" datetime NOT NULL, "asked_by_id" bigint NULL REFERENCES "accounts_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "prepared_file_state_known" CHECK ("state" IN ('waiting', 'making', 'ready', 'failed')), CONSTRAINT "prepared_file_is_leased_while_made" CHECK ((("leased_until" IS NOT NULL AND "state" = 'making') OR (NOT ("state" = 'making') AND "leased_until" IS NULL))), CONSTRAINT "prepared_file_ready_is_made" CHECK ((NOT ("state" = 'ready') OR ("made_at" IS NOT NULL AND "pieces" >= 1))));

CREATE TABLE "web_preparedpiece" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "data" BLOB NOT NULL, "file_id" bigint NOT NULL REFERENCES "web_preparedfile" ("id") DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE "web_snapshot" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "topic" varchar(60) NOT NULL, "part" varchar(60) NOT NULL, "revision" bigint unsigned NOT NULL CHECK ("revision" >= 0), "made_at" datetime NOT NULL, "refresh_at" datetime NOT NULL, "payload" BLOB NOT NULL, CONSTRAINT "snapshot_once_per_part" UNIQUE ("topic", "part"));

CREATE INDEX "account_emailaddress_email_03be32b2" ON "account_emailaddress" ("email");

CREATE INDEX "account_emailaddress_user_id_2c513194" ON "account_emailaddress" ("user_id");

CREATE UNIQUE INDEX "account_emailaddress_user_id_email_987c8728_uniq" ON "account_emailaddress" ("user_id", "email");

CREATE UNIQUE INDEX "unique_primary_email" ON "account_emailaddress" ("user_id", "primary") WHERE "primary";

CREATE UNIQUE INDEX "unique_verified_email" ON "account_emailaddress" ("email") WHERE "verified";

CREATE INDEX "account_emailconfirmation_email_address_id_5b7f8c58" ON "account_emailconfirmation" ("email_address_id");

CREATE INDEX "accounts_accesstoken_token_key_53cfc81c" ON "accounts_accesstoken" ("token_key");

CREATE INDEX "accounts_accesstoken_user_id_9665e3f6" ON "accounts_accesstoken" ("user_id");

CREATE INDEX "accounts_user_groups_group_id_bd11a704" ON "accounts_user_groups" ("group_id");

CREATE INDEX "accounts_user_groups_user_id_52b62117" ON "accounts_user_groups" ("user_id");

CREATE UNIQUE INDEX "accounts_user_groups_user_id_group_id_59c0b32f_uniq" ON "accounts_user_groups" ("user_id", "group_id");

CREATE INDEX "accounts_user_user_permissions_permission_id_113bb443" ON "accounts_user_user_permissions" ("permission_id");

CREATE INDEX "accounts_user_user_permissions_user_id_e4f0a161" ON "accounts_user_user_permissions" ("user_id");

CREATE UNIQUE INDEX "accounts_user_user_permissions_user_id_permission_id_2ab516c2_uniq" ON "accounts_user_user_permissions" ("user_id", "permission_id");

CREATE INDEX "announcement_due" ON "announcements_announcement" ("publish_at") WHERE "published_at" IS NULL;

CREATE INDEX "announcement_of_subject" ON "announcements_announcement" ("subject", "subject_id", "published_at");

CREATE INDEX "announcements_announcement_author_id_47b59c69" ON "announcements_announcement" ("author_id");

CREATE INDEX "announcements_question_answered_by_id_c6cd09cd" ON "announcements_question" ("answered_by_id");

CREATE INDEX "announcements_question_asker_id_76d3fbe4" ON "announcements_question" ("asker_id");

CREATE INDEX "question_of_subject" ON "announcements_question" ("subject", "subject_id", "answered_at");

CREATE INDEX "assignment_going_on" ON "assignments_assignment" ("opens_at") WHERE "revealed_at" IS NULL;

CREATE INDEX "assignments_assignment_group_id_be7afa39" ON "assignments_assignment" ("group_id");

CREATE INDEX "assignments_assignment_organiser_id_0e267a99" ON "assignments_assignment" ("organiser_id");

CREATE UNIQUE INDEX "assignment_reference_once" ON "assignments_assignmentreference" ("assignment_id", "version_id");

CREATE INDEX "assignments_assignmentreference_assignment_id_9a49264b" ON "assignments_assignmentreference" ("assignment_id");

CREATE INDEX "assignments_assignmentreference_version_id_f43e3d34" ON "assignments_assignmentreference" ("version_id");

CREATE INDEX "assignments_dueextension_assignment_id_16e5ed75" ON "assignments_dueextension" ("assignment_id");

CREATE INDEX "assignments_dueextension_by_id_5fd83a03" ON "assignments_dueextension" ("by_id");

CREATE INDEX "assignments_dueextension_student_id_02dd8171" ON "assignments_dueextension" ("student_id");

CREATE INDEX "assignments_handin_assignment_id_94f006ab" ON "assignments_handin" ("assignment_id");

CREATE INDEX "assignments_handin_bot_id_18033938" ON "assignments_handin" ("bot_id");

CREATE INDEX "assignments_handin_student_id_d4d14a44" ON "assignments_handin" ("student_id");

CREATE UNIQUE INDEX "one_bot_handed_in_per_student" ON "assignments_handin" ("assignment_id", "student_id");

CREATE INDEX "assignments_handinperson_account_id_c416c761" ON "assignments_handinperson" ("account_id");

CREATE INDEX "assignments_handinperson_assignment_id_1fa6d43a" ON "assignments_handinperson" ("assignment_id");

CREATE INDEX "assignments_handinperson_person_id_a1defe25" ON "assignments_handinperson" ("person_id");

CREATE UNIQUE INDEX "person_hands_in_once_per_assignment" ON "assignments_handinperson" ("assignment_id", "person_id");

CREATE INDEX "assignments_marking_assignment_id_4f95d0ca" ON "assignments_marking" ("assignment_id");

CREATE INDEX "assignments_marking_by_id_971f3633" ON "assignments_marking" ("by_id");

CREATE INDEX "assignments_marking_student_id_84c6b1e8" ON "assignments_marking" ("student_id");

CREATE INDEX "assignments_marking_version_id_8a5afcb2" ON "assignments_marking" ("version_id");

CREATE UNIQUE INDEX "marking_number_once_per_student" ON "assignments_marking" ("assignment_id", "student_id", "number");

CREATE INDEX "assignments_practicerun_reference_id_b758ee45" ON "assignments_practicerun" ("reference_id");

CREATE INDEX "assignments_practicerun_student_id_c0fb9ad8" ON "assignments_practicerun" ("student_id");

CREATE INDEX "assignments_practicerun_version_id_f24dc387" ON "assignments_practicerun" ("version_id");

CREATE UNIQUE INDEX "practice_once_per_version_and_reference" ON "assignments_practicerun" ("reference_id", "student_id", "version_id");

CREATE INDEX "assignments_referencemark_marking_id_eb4759a8" ON "assignments_referencemark" ("marking_id");

CREATE INDEX "assignments_referencemark_reference_id_1059a97d" ON "assignments_referencemark" ("reference_id");

CREATE INDEX "assignments_referencemark_ruled_by_id_b8a60b7f" ON "assignments_referencemark" ("ruled_by_id");

CREATE UNIQUE INDEX "one_mark_per_marking_and_reference" ON "assignments_referencemark" ("marking_id", "reference_id");

CREATE INDEX "auth_group_permissions_group_id_b120cbf9" ON "auth_group_permissions" ("group_id");

CREATE UNIQUE INDEX "auth_group_permissions_group_id_permission_id_0cd325b0_uniq" ON "auth_group_permissions" ("group_id", "permission_id");

CREATE INDEX "auth_group_permissions_permission_id_84c5c92e" ON "auth_group_permissions" ("permission_id");

CREATE INDEX "auth_permission_content_type_id_2f476e4b" ON "auth_permission" ("content_type_id");

CREATE UNIQUE INDEX "auth_permission_content_type_id_codename_01ab375a_uniq" ON "auth_permission" ("content_type_id", "codename");

CREATE UNIQUE INDEX "bot_name_unique_per_owner" ON "bots_bot" ("owner_id", "name");

CREATE INDEX "bots_bot_alias_group_id_64a8abb2" ON "bots_bot" ("alias_group_id");

CREATE INDEX "bots_bot_current_id_b8d060a7" ON "bots_bot" ("current_id");

CREATE INDEX "bots_bot_owner_id_83aa2ee8" ON "bots_bot" ("owner_id");

CREATE INDEX "bots_botversion_bot_id_a9a7263b" ON "bots_botversion" ("bot_id");

CREATE INDEX "bots_botversion_checked_for_id_cf9187a1" ON "bots_botversion" ("checked_for_id");

CREATE INDEX "bots_botversion_uploaded_by_id_c48a243e" ON "bots_botversion" ("uploaded_by_id");

CREATE INDEX "version_by_state" ON "bots_botversion" ("state") WHERE "state" IN ('queued', 'checking');

CREATE UNIQUE INDEX "version_checked_one_per_author" ON "bots_botversion" ("checked_for_id");

CREATE UNIQUE INDEX "version_content_unique_per_bot" ON "bots_botversion" ("bot_id", "sha256");

CREATE UNIQUE INDEX "version_number_unique_per_bot" ON "bots_botversion" ("bot_id", "number");

CREATE INDEX "version_to_prune" ON "bots_botversion" ("state") WHERE ("kept" > 0 AND "state" IN ('refused', 'deleted'));

CREATE INDEX "django_admin_log_content_type_id_c4bce8eb" ON "django_admin_log" ("content_type_id");

CREATE INDEX "django_admin_log_user_id_c564eba6" ON "django_admin_log" ("user_id");

CREATE UNIQUE INDEX "django_content_type_app_label_model_76bd3d3b_uniq" ON "django_content_type" ("app_label", "model");

CREATE INDEX "django_session_expire_date_a5c62663" ON "django_session" ("expire_date");

CREATE INDEX "groups_group_created_by_id_498c8e85" ON "groups_group" ("created_by_id");

CREATE INDEX "groups_groupinvitation_batch_a1adf7a7" ON "groups_groupinvitation" ("batch");

CREATE INDEX "groups_groupinvitation_created_by_id_b320817e" ON "groups_groupinvitation" ("created_by_id");

CREATE INDEX "groups_groupinvitation_group_id_7d46fb84" ON "groups_groupinvitation" ("group_id");

CREATE INDEX "groups_groupinvitation_row_id_24b88ce4" ON "groups_groupinvitation" ("row_id");

CREATE UNIQUE INDEX "alias_is_one_persons" ON "groups_groupmember" ("group_id", "alias_key");

CREATE INDEX "group_member_to_tell" ON "groups_groupmember" ("id") WHERE "is_untold";

CREATE INDEX "groups_groupmember_group_id_1c1b676d" ON "groups_groupmember" ("group_id");

CREATE INDEX "groups_groupmember_person_id_7d5373c1" ON "groups_groupmember" ("person_id");

CREATE UNIQUE INDEX "person_joins_a_group_once" ON "groups_groupmember" ("group_id", "person_id");

CREATE UNIQUE INDEX "roster_id_is_one_members" ON "groups_groupmember" ("group_id", "roster_id") WHERE NOT ("roster_id" = '');

CREATE INDEX "groups_mailboxletter_created_at_00e0fe3a" ON "groups_mailboxletter" ("created_at");

CREATE UNIQUE INDEX "mailbox_letter_counts_once" ON "groups_mailboxletter" ("digest", "letter");

CREATE INDEX "groups_memberchange_by_id_2b4eda36" ON "groups_memberchange" ("by_id");

CREATE INDEX "groups_memberchange_group_id_e8d5a314" ON "groups_memberchange" ("group_id");

CREATE INDEX "groups_memberchange_person_id_d743816a" ON "groups_memberchange" ("person_id");

CREATE INDEX "groups_rosterrow_group_id_7d5090b9" ON "groups_rosterrow" ("group_id");

CREATE UNIQUE INDEX "roster_row_alias_once" ON "groups_rosterrow" ("group_id", "alias_key");

CREATE UNIQUE INDEX "roster_row_email_once" ON "groups_rosterrow" ("group_id", "email_key");

CREATE UNIQUE INDEX "roster_row_id_once" ON "groups_rosterrow" ("group_id", "roster_id") WHERE NOT ("roster_id" = '');

CREATE INDEX "roster_row_to_write_to" ON "groups_rosterrow" ("id") WHERE (NOT ("email" = '') AND "written_at" IS NULL);

CREATE UNIQUE INDEX "delivery_once_per_event" ON "hooks_delivery" ("hook_id", "event");

CREATE INDEX "delivery_waiting_by_time" ON "hooks_delivery" ("due_at") WHERE "state" = 'waiting';

CREATE INDEX "hooks_delivery_created_at_3b1d597b" ON "hooks_delivery" ("created_at");

CREATE INDEX "hooks_delivery_hook_id_9588de63" ON "hooks_delivery" ("hook_id");

CREATE INDEX "hooks_hook_owner_id_108b6428" ON "hooks_hook" ("owner_id");

CREATE INDEX "knox_authtoken_token_key_8f4f7d47" ON "knox_authtoken" ("token_key");

CREATE INDEX "knox_authtoken_user_id_e5a5d899" ON "knox_authtoken" ("user_id");

CREATE INDEX "league_exclusion_membership_id_70c5dcd8" ON "league_exclusion" ("membership_id");

CREATE INDEX "league_league_group_id_d865736e" ON "league_league" ("group_id");

CREATE INDEX "league_league_organiser_id_aa7ff233" ON "league_league" ("organiser_id");

CREATE UNIQUE INDEX "league_digest_once_a_week" ON "league_leaguedigest" ("league_id", "week");

CREATE INDEX "league_leaguedigest_league_id_07d7918b" ON "league_leaguedigest" ("league_id");

CREATE INDEX "league_leaguematch_season_id_fbac02d9" ON "league_leaguematch" ("season_id");

CREATE UNIQUE INDEX "one_league_match_per_number" ON "league_leaguematch" ("season_id", "number");

CREATE UNIQUE INDEX "bot_joins_a_league_once" ON "league_membership" ("league_id", "bot_id");

CREATE INDEX "league_membership_bot_id_6637c8dd" ON "league_membership" ("bot_id");

CREATE INDEX "league_membership_league_id_4c750654" ON "league_membership" ("league_id");

CREATE INDEX "league_rating_entry_id_d0067db9" ON "league_rating" ("entry_id");

CREATE INDEX "league_rating_snapshot_id_4c61335f" ON "league_rating" ("snapshot_id");

CREATE UNIQUE INDEX "place_unique_per_snapshot" ON "league_rating" ("snapshot_id", "place");

CREATE UNIQUE INDEX "rating_once_per_snapshot_and_entry" ON "league_rating" ("snapshot_id", "entry_id");

CREATE INDEX "league_refit_season_id_2cf72ebd" ON "league_ratingsnapshot" ("season_id");

CREATE UNIQUE INDEX "snapshot_number_unique_per_season" ON "league_ratingsnapshot" ("season_id", "number");

CREATE INDEX "league_season_league_id_0dffcfe6" ON "league_season" ("league_id");

CREATE UNIQUE INDEX "one_running_season_per_league" ON "league_season" ("league_id") WHERE "state" = 'running';

CREATE UNIQUE INDEX "season_number_unique_per_league" ON "league_season" ("league_id", "number");

CREATE INDEX "league_seasonentry_membership_id_f79eb38b" ON "league_seasonentry" ("membership_id");

CREATE INDEX "league_seasonentry_parent_id_030a1963" ON "league_seasonentry" ("parent_id");

CREATE INDEX "league_seasonentry_season_id_0ef9b0d4" ON "league_seasonentry" ("season_id");

CREATE INDEX "league_seasonentry_version_id_21aeaf22" ON "league_seasonentry" ("version_id");

CREATE UNIQUE INDEX "one_standing_version_per_bot_and_season" ON "league_seasonentry" ("season_id", "membership_id") WHERE "state" IN ('playing', 'benched');

CREATE UNIQUE INDEX "version_contends_once_per_season" ON "league_seasonentry" ("season_id", "version_id");

CREATE INDEX "analysis_asked_lately" ON "matches_analysis" ("requested_by_id", "requested_at");

CREATE INDEX "analysis_by_record" ON "matches_analysis" ("digest", "value");

CREATE UNIQUE INDEX "analysis_once_per_game_and_value" ON "matches_analysis" ("game_id", "value");

CREATE INDEX "analysis_to_be_dropped" ON "matches_analysis" ("claimed_at") WHERE "told" IS NOT NULL;

CREATE INDEX "analysis_to_be_made" ON "matches_analysis" ("claimed_at") WHERE ("is_kept" AND "told" IS NULL);

CREATE INDEX "matches_analysis_game_id_29519f01" ON "matches_analysis" ("game_id");

CREATE INDEX "matches_analysis_requested_by_id_35c64c3d" ON "matches_analysis" ("requested_by_id");

CREATE UNIQUE INDEX "challenge_asked_once_per_pair" ON "matches_challenge" ("bot_id", "opponent_id") WHERE "state" = 'asked';

CREATE INDEX "challenge_newest_of_bot" ON "matches_challenge" ("bot_id", "id" DESC);

CREATE INDEX "challenge_newest_of_opponent" ON "matches_challenge" ("opponent_id", "id" DESC);

CREATE UNIQUE INDEX "challenge_turn_unique_per_day" ON "matches_challenge" ("author_id", "opponent_id", "day", "turn");

CREATE INDEX "matches_challenge_author_id_ac71f884" ON "matches_challenge" ("author_id");

CREATE UNIQUE INDEX "check_game_index_unique_per_stage_and_attempt" ON "matches_checkgame" ("version_id", "attempt", "stage", "index");

CREATE INDEX "fault_kept_by_seat" ON "matches_fault" ("seat_id") WHERE "is_kept";

CREATE UNIQUE INDEX "fault_once_per_seat_and_game" ON "matches_fault" ("game_id", "seat_id");

CREATE INDEX "matches_fault_game_id_c0d22ade" ON "matches_fault" ("game_id");

CREATE INDEX "matches_fault_seat_id_cfd79a03" ON "matches_fault" ("seat_id");

CREATE UNIQUE INDEX "game_index_unique_per_match" ON "matches_game" ("match_id", "index");

CREATE INDEX "matches_game_match_id_e04ff6dd" ON "matches_game" ("match_id");

CREATE INDEX "match_by_premiere" ON "matches_match" ("premieres_at") WHERE "premieres_at" IS NOT NULL;

CREATE INDEX "match_finished_newest_first" ON "matches_match" ("finished_at" DESC) WHERE "state" = 'finished';

CREATE INDEX "match_newest_first" ON "matches_match" ("created_at" DESC, "id" DESC);

CREATE INDEX "match_on_air_by_end" ON "matches_match" ("air_ends_at") WHERE "state" = 'on_air';

CREATE INDEX "match_queued_by_account" ON "matches_match" ("account_id", "dispatch_at", "id") WHERE "state" = 'queued';

CREATE INDEX "match_queued_by_release" ON "matches_match" ("released_at") WHERE "state" = 'queued';

CREATE INDEX "match_running_by_lease" ON "matches_match" ("lease_expires_at") WHERE "state" = 'running';

CREATE INDEX "match_stuck_by_contest" ON "matches_match" ("contest_id") WHERE ("is_games_fault" AND "state" = 'held');

CREATE INDEX "matches_match_organiser_id_af5a0be9" ON "matches_match" ("organiser_id");

CREATE UNIQUE INDEX "log_once_per_attempt_and_game" ON "matches_matchlog" ("match_id", "attempt", "game");

CREATE INDEX "matches_matchlog_match_id_4c218a00" ON "matches_matchlog" ("match_id");

CREATE INDEX "matches_seat_match_id_778e1dae" ON "matches_seat" ("match_id");

CREATE INDEX "matches_seat_version_id_fc68610a" ON "matches_seat" ("version_id");

CREATE UNIQUE INDEX "seat_index_unique_per_match" ON "matches_seat" ("match_id", "index");

CREATE INDEX "seat_log_newest_of_bot" ON "matches_seatlog" ("bot_id", "id" DESC);

CREATE INDEX "seat_log_oldest" ON "matches_seatlog" ("created_at");

CREATE UNIQUE INDEX "seat_log_once_per_slice" ON "matches_seatlog" ("seat_id", "first_game");

CREATE INDEX "seat_notes_newest_of_bot" ON "matches_seatnotes" ("bot_id", "id" DESC);

CREATE UNIQUE INDEX "seat_notes_once_per_slice" ON "matches_seatnotes" ("seat_id", "first_game");

CREATE INDEX "matches_sparring_author_id_f127777f" ON "matches_sparring" ("author_id");

CREATE INDEX "sparring_newest_of_author" ON "matches_sparring" ("author_id", "match_id" DESC);

CREATE INDEX "mfa_authenticator_user_id_0c3a50c0" ON "mfa_authenticator" ("user_id");

CREATE UNIQUE INDEX "unique_authenticator_type" ON "mfa_authenticator" ("user_id", "type") WHERE "type" IN ('totp', 'recovery_codes');

CREATE INDEX "follow_of_target" ON "notices_follow" ("kind", "target");

CREATE UNIQUE INDEX "follow_once" ON "notices_follow" ("person_id", "kind", "target");

CREATE INDEX "notices_follow_person_id_a244581f" ON "notices_follow" ("person_id");

CREATE INDEX "notice_email_due" ON "notices_notice" ("email_at") WHERE ("email_at" IS NOT NULL AND "emailed_at" IS NULL);

CREATE UNIQUE INDEX "notice_once_per_event" ON "notices_notice" ("person_id", "event");

CREATE INDEX "notice_unread" ON "notices_notice" ("person_id") WHERE ("in_inbox" AND "read_at" IS NULL);

CREATE INDEX "notices_notice_created_at_9cc766f9" ON "notices_notice" ("created_at");

CREATE INDEX "notices_notice_person_id_94368381" ON "notices_notice" ("person_id");

CREATE UNIQUE INDEX "notice_choice_once_per_kind" ON "notices_noticechoice" ("person_id", "kind");

CREATE INDEX "notice_choice_pushed" ON "notices_noticechoice" ("kind") WHERE "push";

CREATE INDEX "notice_choice_wanted" ON "notices_noticechoice" ("kind") WHERE ("in_inbox" OR NOT ("email" = 'never'));

CREATE INDEX "notices_noticechoice_person_id_3cc5134b" ON "notices_noticechoice" ("person_id");

CREATE INDEX "notices_pushdelivery_notice_id_b3cc30b0" ON "notices_pushdelivery" ("notice_id");

CREATE INDEX "notices_pushdelivery_subscription_id_58ab479d" ON "notices_pushdelivery" ("subscription_id");

CREATE INDEX "push_due" ON "notices_pushdelivery" ("due_at") WHERE "sent_at" IS NULL;

CREATE UNIQUE INDEX "push_once_per_notice" ON "notices_pushdelivery" ("subscription_id", "notice_id");

CREATE INDEX "push_sent" ON "notices_pushdelivery" ("subscription_id", "sent_at") WHERE "sent_at" IS NOT NULL;

CREATE INDEX "notices_pushsubscription_person_id_0b054020" ON "notices_pushsubscription" ("person_id");

CREATE UNIQUE INDEX "table_measured_once_a_day" ON "operations_tablesize" ("table", "day");

CREATE INDEX "organisers_organiserchange_by_id_bf252e6b" ON "organisers_organiserchange" ("by_id");

CREATE INDEX "organisers_organiserchange_person_id_b5489a79" ON "organisers_organiserchange" ("person_id");

CREATE INDEX "organisers_organiserrequest_decided_by_id_fe4042be" ON "organisers_organiserrequest" ("decided_by_id");

CREATE INDEX "organisers_organiserrequest_person_id_98b1e82c" ON "organisers_organiserrequest" ("person_id");

CREATE UNIQUE INDEX "person_asks_once_at_a_time" ON "organisers_organiserrequest" ("person_id") WHERE "decided_at" IS NULL;

CREATE INDEX "puzzle_by_rating" ON "puzzles_puzzle" ("game", "rating");

CREATE INDEX "puzzles_puzzleanswer_person_id_1cda7c96" ON "puzzles_puzzleanswer" ("person_id");

CREATE INDEX "puzzles_puzzleanswer_puzzle_id_29e9cab1" ON "puzzles_puzzleanswer" ("puzzle_id");

CREATE INDEX "puzzles_puzzlerating_person_id_597aca7f" ON "puzzles_puzzlerating" ("person_id");

CREATE INDEX "series_seriesevent_series_id_fdf2ca9f" ON "series_seriesevent" ("series_id");

CREATE INDEX "series_tournamentseries_group_id_c79ee102" ON "series_tournamentseries" ("group_id");

CREATE INDEX "series_tournamentseries_organiser_id_c6e6a7ee" ON "series_tournamentseries" ("organiser_id");

CREATE UNIQUE INDEX "socialaccount_socialaccount_provider_uid_fc810c6e_uniq" ON "socialaccount_socialaccount" ("provider", "uid");

CREATE INDEX "socialaccount_socialaccount_user_id_8146e70c" ON "socialaccount_socialaccount" ("user_id");

CREATE INDEX "socialaccount_socialtoken_account_id_951f210e" ON "socialaccount_socialtoken" ("account_id");

CREATE INDEX "socialaccount_socialtoken_app_id_636a42d7" ON "socialaccount_socialtoken" ("app_id");

CREATE UNIQUE INDEX "socialaccount_socialtoken_app_id_account_id_fca4e0ac_uniq" ON "socialaccount_socialtoken" ("app_id", "account_id");

CREATE INDEX "teams_teamchange_by_id_f488d123" ON "teams_teamchange" ("by_id");

CREATE INDEX "teams_teamchange_person_id_32f91a35" ON "teams_teamchange" ("person_id");

CREATE INDEX "teams_teamchange_team_id_2b09695c" ON "teams_teamchange" ("team_id");

CREATE INDEX "teams_teaminvitation_created_by_id_79de0358" ON "teams_teaminvitation" ("created_by_id");

CREATE INDEX "teams_teaminvitation_team_id_99a770e2" ON "teams_teaminvitation" ("team_id");

CREATE UNIQUE INDEX "person_joins_a_team_once" ON "teams_teammember" ("team_id", "person_id");

CREATE UNIQUE INDEX "team_has_one_captain" ON "teams_teammember" ("team_id") WHERE "is_captain";

CREATE INDEX "teams_teammember_person_id_d70662ab" ON "teams_teammember" ("person_id");

CREATE INDEX "teams_teammember_team_id_09a01daf" ON "teams_teammember" ("team_id");

CREATE UNIQUE INDEX "one_bye_per_entry_of_a_round" ON "tournaments_bye" ("round_id", "entry_id");

CREATE INDEX "tournaments_bye_entry_id_aa067fd6" ON "tournaments_bye" ("entry_id");

CREATE INDEX "tournaments_bye_round_id_37e4aecc" ON "tournaments_bye" ("round_id");

CREATE UNIQUE INDEX "link_number_unique_per_tournament" ON "tournaments_chainlink" ("tournament_id", "number");

CREATE UNIQUE INDEX "one_link_after_each" ON "tournaments_chainlink" ("tournament_id", "previous");

CREATE INDEX "tournaments_chainlink_tournament_id_f2077ea6" ON "tournaments_chainlink" ("tournament_id");

CREATE UNIQUE INDEX "bot_enters_once" ON "tournaments_entry" ("tournament_id", "bot_id");

CREATE INDEX "tournaments_entry_bot_id_8a14a1c9" ON "tournaments_entry" ("bot_id");

CREATE INDEX "tournaments_entry_sources_agreed_by_id_ecd39a8d" ON "tournaments_entry" ("sources_agreed_by_id");

CREATE INDEX "tournaments_entry_tournament_id_8241213d" ON "tournaments_entry" ("tournament_id");

CREATE INDEX "tournaments_entry_version_id_071ea535" ON "tournaments_entry" ("version_id");

CREATE INDEX "tournaments_entryanswers_by_id_22762295" ON "tournaments_entryanswers" ("by_id");

CREATE UNIQUE INDEX "one_fixture_per_table_of_a_round" ON "tournaments_fixture" ("round_id", "table");

CREATE INDEX "tournaments_fixture_round_id_3bf44732" ON "tournaments_fixture" ("round_id");

CREATE UNIQUE INDEX "forbidden_pair_once" ON "tournaments_forbiddenpair" ("one_id", "other_id");

CREATE INDEX "tournaments_forbiddenpair_one_id_26f64c6e" ON "tournaments_forbiddenpair" ("one_id");

CREATE INDEX "tournaments_forbiddenpair_other_id_3812a93e" ON "tournaments_forbiddenpair" ("other_id");

CREATE INDEX "tournaments_forbiddenpair_tournament_id_704eb0d0" ON "tournaments_forbiddenpair" ("tournament_id");

CREATE UNIQUE INDEX "invitation_digest_unique" ON "tournaments_invitation" ("digest") WHERE NOT ("digest" = '');

CREATE INDEX "tournaments_keptgroup_tournament_id_8b89518d" ON "tournaments_keptgroup" ("tournament_id");

CREATE INDEX "tournaments_keptgroup_entries_entry_id_41c6e414" ON "tournaments_keptgroup_entries" ("entry_id");

CREATE INDEX "tournaments_keptgroup_entries_keptgroup_id_3ab93bf8" ON "tournaments_keptgroup_entries" ("keptgroup_id");

CREATE UNIQUE INDEX "tournaments_keptgroup_entries_keptgroup_id_entry_id_cb523b2d_uniq" ON "tournaments_keptgroup_entries" ("keptgroup_id", "entry_id");

CREATE UNIQUE INDEX "ladder_cup_once_a_week" ON "tournaments_laddercup" ("weekly_id", "number");

CREATE INDEX "tournaments_laddercup_season_id_b9b78917" ON "tournaments_laddercup" ("season_id");

CREATE INDEX "tournaments_laddercup_weekly_id_8b4d40d2" ON "tournaments_laddercup" ("weekly_id");

CREATE UNIQUE INDEX "luck_number_unique_per_tournament" ON "tournaments_luck" ("tournament_id", "number");

CREATE INDEX "tournaments_luck_tournament_id_3e9bb90d" ON "tournaments_luck" ("tournament_id");

CREATE UNIQUE INDEX "nonce_number_unique_per_luck" ON "tournaments_nonce" ("luck_id", "number");

CREATE UNIQUE INDEX "one_nonce_of_each_person" ON "tournaments_nonce" ("luck_id", "by_id");

CREATE INDEX "tournaments_nonce_by_id_cf2847de" ON "tournaments_nonce" ("by_id");

CREATE INDEX "tournaments_nonce_luck_id_0bc9d0b5" ON "tournaments_nonce" ("luck_id");

CREATE INDEX "tournaments_rewound_ruling_id_608f49ac" ON "tournaments_rewound" ("ruling_id");

CREATE INDEX "tournaments_rewound_stage_id_dc2ca1fb" ON "tournaments_rewound" ("stage_id");

CREATE UNIQUE INDEX "round_number_unique_per_tournament" ON "tournaments_round" ("tournament_id", "number");

CREATE INDEX "tournaments_round_stage_id_04ccaf04" ON "tournaments_round" ("stage_id");

CREATE INDEX "tournaments_round_tournament_id_a359f4ed" ON "tournaments_round" ("tournament_id");

CREATE UNIQUE INDEX "one_plan_for_each_round" ON "tournaments_roundplan" ("tournament_id", "stage", "place");

CREATE INDEX "tournaments_roundplan_tournament_id_0493ab5a" ON "tournaments_roundplan" ("tournament_id");

CREATE UNIQUE INDEX "one_ruling_on_each_state" ON "tournaments_ruling" ("tournament_id", "basis");

CREATE UNIQUE INDEX "ruling_number_unique_per_tournament" ON "tournaments_ruling" ("tournament_id", "number");

CREATE INDEX "tournaments_ruling_by_id_4aa842e0" ON "tournaments_ruling" ("by_id");

CREATE INDEX "tournaments_ruling_entry_id_d6cb4851" ON "tournaments_ruling" ("entry_id");

CREATE INDEX "tournaments_ruling_match_id_a8ccafbb" ON "tournaments_ruling" ("match_id");

CREATE INDEX "tournaments_ruling_names_id_1de4fea9" ON "tournaments_ruling" ("names_id");

CREATE INDEX "tournaments_ruling_tournament_id_61e48535" ON "tournaments_ruling" ("tournament_id");

CREATE UNIQUE INDEX "name_sealed_once_per_tournament" ON "tournaments_sealedname" ("tournament_id", "digest");

CREATE INDEX "tournaments_sealedname_tournament_id_6806ab06" ON "tournaments_sealedname" ("tournament_id");

CREATE UNIQUE INDEX "entry_seeded_once_per_stage" ON "tournaments_seed" ("stage_id", "entry_id");

CREATE UNIQUE INDEX "seed_number_unique_per_stage" ON "tournaments_seed" ("stage_id", "number");

CREATE INDEX "tournaments_seed_entry_id_4ef15744" ON "tournaments_seed" ("entry_id");

CREATE INDEX "tournaments_seed_stage_id_f202fc75" ON "tournaments_seed" ("stage_id");

CREATE UNIQUE INDEX "stage_number_unique_per_tournament" ON "tournaments_stage" ("tournament_id", "number");

CREATE INDEX "tournaments_stage_tournament_id_fdefbf65" ON "tournaments_stage" ("tournament_id");

CREATE INDEX "tournaments_supersededmatch_rewound_id_3a13a706" ON "tournaments_supersededmatch" ("rewound_id");

CREATE INDEX "tournaments_supersededmatch_ruling_id_eceee260" ON "tournaments_supersededmatch" ("ruling_id");

CREATE INDEX "tournaments_supersededmatch_stage_id_a5e50997" ON "tournaments_supersededmatch" ("stage_id");

CREATE UNIQUE INDEX "person_plays_for_one_team" ON "tournaments_teamplayer" ("tournament_id", "person_id");

CREATE INDEX "tournaments_teamplayer_person_id_43d81e93" ON "tournaments_teamplayer" ("person_id");

CREATE INDEX "tournaments_teamplayer_team_id_358bc75b" ON "tournaments_teamplayer" ("team_id");

CREATE INDEX "tournaments_teamplayer_tournament_id_7bceef8c" ON "tournaments_teamplayer" ("tournament_id");

CREATE UNIQUE INDEX "tournament_one_draft_of_a_copy" ON "tournaments_tournament" ("copied_from_id", "copied_days") WHERE "state" = 'draft';

CREATE INDEX "tournament_running" ON "tournaments_tournament" ("created_at") WHERE "state" = 'running';

CREATE INDEX "tournaments_tournament_copied_from_id_e9ccad55" ON "tournaments_tournament" ("copied_from_id");

CREATE INDEX "tournaments_tournament_group_id_ee32593d" ON "tournaments_tournament" ("group_id");

CREATE INDEX "tournaments_tournament_organiser_id_03c16388" ON "tournaments_tournament" ("organiser_id");

CREATE INDEX "tournaments_tournament_arbiters_tournament_id_2521d6fc" ON "tournaments_tournament_arbiters" ("tournament_id");

CREATE UNIQUE INDEX "tournaments_tournament_arbiters_tournament_id_user_id_58d75d50_uniq" ON "tournaments_tournament_arbiters" ("tournament_id", "user_id");

CREATE INDEX "tournaments_tournament_arbiters_user_id_4d9b3295" ON "tournaments_tournament_arbiters" ("user_id");

CREATE UNIQUE INDEX "template_name_once_for_a_person" ON "tournaments_tournamenttemplate" ("organiser_id", "name_key");

CREATE UNIQUE INDEX "template_name_once_in_a_group" ON "tournaments_tournamenttemplate" ("group_id", "name_key");

CREATE INDEX "tournaments_tournamenttemplate_group_id_faff1fa1" ON "tournaments_tournamenttemplate" ("group_id");

CREATE INDEX "tournaments_tournamenttemplate_organiser_id_c366cc5d" ON "tournaments_tournamenttemplate" ("organiser_id");

CREATE UNIQUE INDEX "one_weekly_cup_per_season" ON "tournaments_weeklycup" ("season_id") WHERE "ended_at" IS NULL;

CREATE INDEX "tournaments_weeklycup_season_id_cf8da164" ON "tournaments_weeklycup" ("season_id");

CREATE UNIQUE INDEX "kept_answer_once_per_key" ON "web_keptanswer" ("user_id", "key");

CREATE INDEX "web_keptanswer_created_at_53f98c9e" ON "web_keptanswer" ("created_at");

CREATE INDEX "web_keptanswer_user_id_0cbeded7" ON "web_keptanswer" ("user_id");

CREATE UNIQUE INDEX "one_prepared_file_is_made_at_a_time" ON "web_preparedfile" ("state") WHERE "state" = 'making';

CREATE UNIQUE INDEX "prepared_file_once_per_name" ON "web_preparedfile" ("kind", "subject", "name");

CREATE INDEX "web_preparedfile_asked_at_590c7d5c" ON "web_preparedfile" ("asked_at");

CREATE INDEX "web_preparedfile_asked_by_id_5ae61ebc" ON "web_preparedfile" ("asked_by_id");

CREATE UNIQUE INDEX "prepared_piece_once_per_number" ON "web_preparedpiece" ("file_id", "number");

CREATE INDEX "web_snapshot_made_at_4d7438dd" ON "web_snapshot" ("made_at");

