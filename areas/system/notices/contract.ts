import { Type } from 'typebox'
import { AnyObject, ById, Changed, call, page, Removed } from '../../../contract/call.ts'
import { choice, instant, json, long, number, text } from '../../../contract/field.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'

/** Business types (ruling 26): users write type 7, the server the others. */
export const bizTypes = [1, 2, 3, 4, 7, 11, 12] as const
export type BizType = (typeof bizTypes)[number]
/** The tabs of the message centre; a tab's badge counts the items of its list. */
export const noticeTabs = {
  announcements: { types: [7], count: 'UnReadCount_GongGao' },
  notifications: { types: [3, 4, 11], count: 'UnReadCount_WuLianKa' },
  alarms: { types: [1, 2, 12], count: 'UnReadCount_SheBei' },
} as const satisfies Record<string, { types: readonly BizType[]; count: string }>
export type NoticeTab = keyof typeof noticeTabs

/** Maximum and minimum of badges; page size of a tab; first wait and interval of polls, ms (specification, section 9). */
export const noticeLimits = { badge: 99, page: 10, firstPollMs: 3000, pollMs: 60_000, longestPollMs: 600_000, keptDays: 180 } as const

/** Elements allowed in rich text; everything else is text. Only `a` has an attribute, an http(s) or mailto address. */
export const richTags = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'h3', 'blockquote', 'a'] as const
export const richAddress = /^(https?:\/\/|mailto:)[^\s"'<>]{1,500}$/i

const targets = { schema: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 1000 } } as const

/** A publication; read and pinned states are stored separately. Addresses everybody of the tenant, or the union of the named recipients. */
export const notice = resource('notice', {
  path: '/System/Notice',
  aliases: ['/V3/System/Notice'],
  permission: 'm10422',
  title: 'PushTitle',
  order: '-CreateTime',
  differs: {
    lists: 'Its list is a call of its own, by GET only.',
    filters: 'Its list takes the filters of its screen only.',
  },
  fields: {
    PushTitle: text({ required: true, max: 80, search: true }),
    /** Rich text of `richTags`; the server removes everything else. */
    PushContent: long({ max: 20_000 }),
    BizType: choice(bizTypes, { required: true, set: 'never', search: true, default: 7 }),
    OrganIds: json(targets),
    RoleIds: json(targets),
    UserIds: json(targets),
    /** Not shown before and after these times, if set. */
    PublishTime: instant({ set: 'always' }),
    ExpireTime: instant({ set: 'always' }),
    AlmRuleId: number({ integer: true, set: 'never' }),
    /** Object of a notice without a rule: resource name and Id. */
    ObjectType: text({ set: 'never' }),
    ObjectId: number({ integer: true, set: 'never' }),
  },
})

const { draft, change, row } = schemas(notice)

/** A notice for its reader. ReadStatus: 1 unread, 2 read. IsFirstPage: 1 pinned. */
export const NoticeItem = Type.Object({
  Id,
  EnterpriseId: Id,
  PushTitle: Type.String(),
  PushContent: Type.Union([Type.String(), Type.Null()]),
  CreateTime: Type.String(),
  BizType: Type.Integer(),
  ReadStatus: Type.Integer(),
  IsFirstPage: Type.Integer(),
  AlmRuleId: Type.Union([Id, Type.Null()]),
  ObjectType: Type.Union([Type.String(), Type.Null()]),
  ObjectId: Type.Union([Id, Type.Null()]),
})

/** Unread notices by tab, and current problems: unhandled device alarms, those of level 3, and offline gateways. */
export const NoticeCounts = Type.Object({
  UnReadCount_GongGao: Type.Integer(),
  UnReadCount_WuLianKa: Type.Integer(),
  UnReadCount_SheBei: Type.Integer(),
  TotalCount: Type.Integer(),
  DeviceHightTotalCount: Type.Integer(),
  DeviceTotalCount: Type.Integer(),
  GatewayOnoffTotalCount: Type.Integer(),
  /** Always 0: gateways do not report power loss here yet. */
  GatewayPowerTotalCount: Type.Integer(),
})

const at = (...suffixes: [string, ...string[]]) => {
  const [path, ...aliases] = [notice.path, ...notice.aliases].flatMap((base) => suffixes.map((s) => `${base}${s}`))
  return { path: path!, aliases }
}
const Person = Type.Object({ Id, UserNO: Type.String(), UserName: Type.String() })
const Named = Type.Object({ Id, Name: Type.String() })

export const noticeCalls = {
  /** The caller's notices: pinned first, then newest first. `BizTypeList`, `ReadStatus` and `IsFirstPage` filter them. */
  postedList: call({ ...at('/NoticeList'), method: 'POST', permission: 'session', reads: true, body: AnyObject, answer: page(NoticeItem) }),
  userList: call({ ...at('/UserNoticeList'), method: 'GET', permission: 'session', query: AnyObject, answer: page(NoticeItem) }),
  detail: call({
    ...at('/NoticeDetail_APP_Common'),
    method: 'GET',
    permission: 'session',
    query: ById,
    answer: NoticeItem,
  }),
  counts: call({ ...at('/UnReadCount', '/UnReadCount_APP_Common'), method: 'GET', permission: 'session', answer: NoticeCounts }),
  /** Marks the given notices as read, or all of the business types. */
  read: call({
    ...at('/Read', '/ReadMsg_APP_Common'),
    method: 'POST',
    permission: 'session',
    body: Type.Object({
      BizTypeList: Type.Optional(Type.Array(Type.Integer(), { maxItems: 20 })),
      MsgIds: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
      OPType: Type.Optional(Type.Literal(1)),
    }),
    answer: Changed,
  }),
  pin: call({
    ...at('/FirstPage'),
    method: 'POST',
    permission: 'session',
    body: Type.Object({ Id, IsFirstPage: Type.Union([Type.Literal(0), Type.Literal(1)]) }),
    answer: Changed,
  }),
  /** The tenant's announcements, for any recipients. */
  list: call({ ...at('/List'), method: 'GET', permission: notice.permission, query: AnyObject, answer: page(row) }),
  /** Recipients of an announcement, and who has read it. */
  readers: call({
    ...at('/NoticeUsers'),
    method: 'GET',
    permission: notice.permission,
    query: ById,
    answer: Type.Object({
      Items: Type.Array(
        Type.Object({ ...Person.properties, ReadStatus: Type.Integer(), ReadTime: Type.Union([Type.String(), Type.Null()]) }),
      ),
    }),
  }),
  /** Possible recipients. */
  users: call({
    ...at('/Users'),
    method: 'GET',
    permission: `${notice.permission}.add`,
    answer: Type.Object({ Items: Type.Array(Person), Organs: Type.Array(Named), Roles: Type.Array(Named) }),
  }),
  publish: call({
    ...at(''),
    method: 'POST',
    permission: `${notice.permission}.add`,
    body: Type.Object({ ...draft.properties, EnterpriseId: Type.Optional(Id) }),
    answer: row,
  }),
  change: call({ ...at(''), method: 'PUT', permission: `${notice.permission}.edit`, body: change, answer: row }),
  remove: call({
    ...at('', '/BatchDelete'),
    method: 'DELETE',
    permission: `${notice.permission}.remove`,
    query: AnyObject,
    answer: Removed,
  }),
}
