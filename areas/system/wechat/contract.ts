import { Type } from 'typebox'
import { AnyObject, call, Removed } from '../../../contract/call.ts'
import { type Method, methods, ofTenant } from '../../../contract/channel-settings.ts'
import { choice, flag, long, text } from '../../../contract/field.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'
import { type BoundSecrets, Secret, settings } from '../../../contract/settings.ts'
import { bizTypes } from '../message-templates/contract.ts'

const { permission } = ofTenant
const Text = Type.String()
const Maybe = Type.Union([Text, Type.Null()])

/** WeChat's open platform: web sign-in. */
export const wxConfig = settings('wxConfig', {
  ...ofTenant,
  path: '/System/WechatConfig/WxConfig',
  fields: { WxAppId: text({ max: 40 }), WxStatus: choice([0, 1], { required: true, default: 0 }) },
  secrets: { WxAppSecret: ['WxAppId'] },
})

/** Title, text and picture of pages shared in WeChat. */
export const shareConfig = settings('shareConfig', {
  ...ofTenant,
  path: '/System/WechatConfig/ShareMsgConfig',
  fields: { ShareTitle: text({ max: 60 }), ShareDesc: long({ max: 120 }), ShareImg: text({ max: 300, pattern: '^(https://|/(?!/))' }) },
})

/** A robot of a DingTalk group. Its access token and signing secret are write-only and not fields. */
export const dingRobot = resource('dingRobot', {
  path: '/System/WechatConfig/DD',
  permission,
  title: 'Name',
  order: 'Name',
  fields: {
    Name: text({ required: true, unique: true, search: true }),
    /** Required if the robot's security settings demand a keyword in every message. */
    Keywords: text({ max: 100 }),
    AtMobiles: text({ max: 200, pattern: '^[0-9, ]*$' }),
    Enabled: choice([1, 0], { required: true, default: 1 }),
    HasToken: flag({ set: 'never', default: 0 }),
    HasSecret: flag({ set: 'never', default: 0 }),
    Remark: long(),
  },
})

/** Signature of a page for WeChat's JavaScript SDK; null while no account is configured. */
const Signed = Type.Union([Type.Object({ AppId: Text, Timestamp: Type.Integer(), NonceStr: Text, Signature: Text }), Type.Null()])

const robot = schemas(dingRobot)
const RobotSecrets = { AccessToken: Secret, Secret }
/** The access token is the robot's address. */
export const robotSecrets: BoundSecrets = { AccessToken: [], Secret: ['AccessToken'] }
const OfUser = Type.Object({ UserId: Type.Optional(Id) })
/** Whether a person accepts messages of a business type by a method; accepted by default. */
export type Switch = { BizType: (typeof bizTypes)[number]; Method: 'wechat' | 'email' | 'sms'; On: 0 | 1 }
const Switch = Type.Unsafe<Switch>({
  type: 'object',
  required: ['BizType', 'Method', 'On'],
  properties: { BizType: { enum: [...bizTypes] }, Method: { enum: ['wechat', 'email', 'sms'] }, On: { enum: [0, 1] } },
})
const PushSetting = Type.Object({
  UserId: Type.Integer(),
  /** 1: accepts messages by WeChat. */
  OpenStatus: Type.Integer(),
  Bound: Type.Integer(),
  Email: Maybe,
  Phone: Maybe,
  Switches: Type.Array(Switch),
})

const at = (method: 'GET' | 'POST', path: string) => ({ method, path: `/WeChat/WeiXinGrant/${path}`, permission: 'session' }) as const
export const wechatCalls = {
  signature: call({
    method: 'GET',
    path: '/System/WechatConfig/ShareMsgConfig/Signature',
    permission: 'session',
    query: Type.Object({ Url: Type.String({ minLength: 8, maxLength: 1000, pattern: '^https?://' }) }),
    answer: Signed,
  }),
  addRobot: call({
    method: 'POST',
    path: dingRobot.path,
    permission: `${permission}.edit`,
    body: Type.Object({ ...robot.draft.properties, ...RobotSecrets }),
    answer: robot.row,
  }),
  changeRobot: call({
    method: 'PUT',
    path: dingRobot.path,
    permission: `${permission}.edit`,
    body: Type.Object({ ...robot.change.properties, ...RobotSecrets }),
    answer: robot.row,
  }),
  removeRobots: call({
    method: 'DELETE',
    path: '/System/WechatConfig/BatchDelete',
    aliases: [dingRobot.path, `${dingRobot.path}/BatchDelete`],
    permission: `${permission}.edit`,
    query: AnyObject,
    answer: Removed,
  }),
  /** Sends a sample through one channel of the tenant: to the caller, the robot or the webhook. */
  test: call({
    method: 'POST',
    path: '/System/WechatConfig/MessagePush/Test',
    permission: `${permission}.edit`,
    body: Type.Object({ Method: Type.Unsafe<Method>({ enum: [...methods] }), RobotId: Type.Optional(Id) }),
    answer: Type.Object({ Id: Type.Integer(), Target: Text }),
  }),
  pushSetting: call({ ...at('GET', 'PushSettingByUserId'), query: OfUser, answer: PushSetting }),
  changePushSetting: call({
    ...at('POST', 'ChangeOpenStatusByUserId'),
    body: Type.Object({
      UserId: Type.Optional(Id),
      OpenStatus: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
      Switches: Type.Optional(Type.Array(Switch, { maxItems: 100 })),
    }),
    answer: PushSetting,
  }),
  openId: call({
    ...at('GET', 'OpenIdByUserId'),
    query: OfUser,
    answer: Type.Object({ UserId: Type.Integer(), OpenId: Maybe, OpenStatus: Type.Integer() }),
  }),
  /** Address for the person's phone to bind WeChat to the account; valid once, for ten minutes. Requires a recent sign-in. */
  grantUrl: call({ ...at('GET', 'GrantUrl'), reads: false, answer: Type.Object({ Url: Text, ExpireSeconds: Type.Integer() }) }),
  untie: call({ ...at('POST', 'Untie'), body: OfUser, answer: PushSetting }),
}
