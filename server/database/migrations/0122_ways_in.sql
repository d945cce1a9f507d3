-- The session that asked to tie a WeChat: the link ends with it.
delete from wechat_grant;
alter table wechat_grant add "Session" text not null;
