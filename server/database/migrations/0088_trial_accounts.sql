-- Those that have an account, for the clean-up when their time is over.
create index trial_user_account on trial_user ("ExpireTime") where "UserId" is not null;
