import { Type } from 'typebox'
import { AnyObject, call, page } from '../../../contract/call.ts'
import { choice, flag, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { pushKinds } from '../../../contract/push-reasons.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'

/** Business types of notices and messages (ruling 26). */
export const bizTypes = [1, 2, 3, 4, 7, 11, 12] as const
const permission = 'm10431'
const wire = { remove: ['DELETE ', 'DELETE /BatchDelete', 'DELETE /{id}'] } as const
/** Fields at the beginning and end of all templates. */
const head = {
  TemplateName: text({ required: true, unique: true, search: true, max: 60 }),
  BizType: choice(bizTypes, { required: true, default: 1, search: true }),
}
const foot = {
  Enabled: choice([1, 0], { required: true, default: 1, search: true }),
  /** At most one per business type: a new default replaces the previous one. */
  IsDefault: flag({ default: 0 }),
  Remark: long(),
}
/** Provider's keyword -> one of our placeholders, or a text with placeholders. */
const map = json({
  schema: { type: 'object', additionalProperties: { type: 'string', maxLength: 200 }, propertyNames: { maxLength: 40 }, maxProperties: 20 },
})

export const almWechatTemplate = resource('almWechatTemplate', {
  path: '/Alarm/AlmWechatTemplate',
  wire,
  permission,
  title: 'TemplateName',
  order: 'TemplateName',
  fields: {
    ...head,
    /** Id of the template at WeChat. */
    TemplateId: text({ required: true, max: 64 }),
    FieldMap: map,
    ...foot,
  },
})

export const almEmailTemplate = resource('almEmailTemplate', {
  path: '/Alarm/AlmEmailTemplate',
  wire,
  permission,
  title: 'TemplateName',
  order: 'TemplateName',
  fields: {
    ...head,
    Title: text({ required: true, max: 200 }),
    Content: long({ required: true, max: 5000 }),
    ...foot,
  },
})

export const almSmsTemplate = resource('almSmsTemplate', {
  path: '/Alarm/AlmSmsTemplate',
  wire,
  permission,
  title: 'TemplateName',
  order: 'TemplateName',
  fields: {
    ...head,
    /** Id of the template at the provider. */
    TemplateId: text({ required: true, max: 64 }),
    /** Overrides the tenant's. */
    SignName: text({ max: 30 }),
    /** Text as approved by the provider, with `${name}` or `{1}`: for display and counting only. */
    Content: long({ max: 500 }),
    FieldMap: map,
    ...foot,
  },
})

const Sent = Type.Object({ Id: Type.Integer(), Target: Type.String() })

/** A message: the queue of the channels and their log share one table. */
export const almPushRecord = resource('almPushRecord', {
  path: '/Alarm/AlmPushRecord',
  permission,
  title: 'Title',
  order: '-Id',
  acts: {
    /** Sends again to the same address. The record is reset. */
    reSend: { button: 'test', when: { SendStatus: [3, 5] }, answer: Sent },
    /** Cancels a pending message. */
    cancel: { button: 'test', when: { SendStatus: [0] }, answer: Sent },
  },
  fields: {
    Method: choice(['wechat', 'email', 'sms', 'dingtalk', 'webhook', 'site'], { required: true, set: 'never', search: true }),
    BizType: choice(bizTypes, { required: true, set: 'never' }),
    /** Recipient address, masked. */
    Target: text({ required: true, set: 'never', max: 200, search: true }),
    UserId: ref('user', { set: 'never' }),
    Title: text({ required: true, set: 'never', max: 200, search: true }),
    Content: long({ set: 'never', max: 5000 }),
    /** 0 waiting, 1 sent, 2 delivered, 3 failed, 4 held, 5 cancelled. */
    SendStatus: choice([0, 1, 2, 3, 4, 5], { required: true, set: 'never', default: 0, search: true }),
    ErrorText: text({ set: 'never', max: 300 }),
    RetryCount: number({ integer: true, set: 'never' }),
    NextTime: instant(),
    SendTime: instant(),
    AlmInfoId: number({ integer: true, set: 'never' }),
    /** For an alarm message. */
    Kind: choice(pushKinds, { set: 'never' }),
    Step: number({ integer: true, set: 'never' }),
    AlmRuleId: ref('alarmRule', { set: 'never', as: 'AlmRuleName' }),
    /** The subscription of the message. */
    AlarmWebhookId: ref('alarmWebhook', { set: 'never' }),
  },
})

const Short = Type.Optional(Type.String({ maxLength: 500 }))
/** The specification's sample fields. */
const Sample = Type.Object({ Id, title: Short, content: Short, source: Short, remark: Short })
export const messageTemplates = [almWechatTemplate, almEmailTemplate, almSmsTemplate]

/** Sends the template with the sample to the caller. */
const share = (r: { path: string }) =>
  call({ method: 'POST', path: `${r.path}/ShareMsgTemplate`, permission: `${permission}.test`, body: Sample, answer: Sent })

export const messageCalls = {
  shareWechat: share(almWechatTemplate),
  shareEmail: share(almEmailTemplate),
  shareSms: share(almSmsTemplate),
  records: call({
    method: 'GET',
    path: `${almPushRecord.path}/List`,
    permission,
    query: AnyObject,
    answer: page(schemas(almPushRecord).row),
  }),
}
