import { Type } from 'typebox'
import { ById, Changed, call } from '../../../contract/call.ts'
import { choice, files, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { Attachments, Id, resource } from '../../../contract/resource.ts'
import { Items } from '../job-sheets/contract.ts'

const count = { required: true, integer: true, set: 'never', default: 0 } as const

/** Knowledge base article: a known fault and its solution. */
export const mtnKnowledgeBase = resource('mtnKnowledgeBase', {
  path: '/Maintenance/MtnKnowledgeBase',
  permission: 'm10610',
  title: 'Title',
  order: '-UpdateTime',
  sheets: 'out',
  wire: { find: ['GET ', 'POST /Detail', 'GET /KnowledgeBaseById/{id}'], remove: ['DELETE ', 'DELETE /BatchDelete', 'DELETE /{id}'] },
  acts: {
    /** Publishes the article, so that it is suggested. */
    publish: { button: 'publish', when: { Status: [0] } },
    withdraw: { button: 'publish', when: { Status: [1] }, asks: true },
  },
  fields: {
    Title: text({ required: true, max: 100, search: true }),
    /** 0 draft, 1 published. */
    Status: choice([0, 1], { required: true, set: 'never', default: 0, search: true }),
    Category: text({ max: 40, search: true }),
    FaultCodeId: ref('alarmCode', { as: 'FaultCode', search: true }),
    DeviceModelId: ref('proModel', { as: 'DeviceModelName', search: true }),
    DeviceId: ref('device'),
    /** Equipment; it need not be a device. */
    EquipmentId: ref('mtnEquipment'),
    Keywords: text({ max: 200, search: true }),
    Phenomenon: long({ max: 1000 }),
    Reason: long({ max: 1000 }),
    /** Rich text of `richTags`; the server removes everything else. */
    Solution: long({ max: 20_000 }),
    Files: files(),
    /** Checklist of orders for this fault. It has no points, because an article has no machine. */
    Items: json({ schema: Items }),
    /** The order that the article was drafted from. */
    OrderId: ref('mtnMaintenanceOrder', { set: 'never', as: 'OrderNo' }),
    /** Number of published versions. */
    Version: number(count),
    PublishTime: instant(),
    Helped: number(count),
    NotHelped: number(count),
  },
})

const Maybe = Type.Union([Type.String(), Type.Null()])
const Article = {
  Title: Type.String(),
  Phenomenon: Maybe,
  Reason: Maybe,
  Solution: Maybe,
}
/** Maximum number of suggestions. */
export const mostOffered = 8

export const knowledgeCalls = {
  /**
   * Suggests published articles for an alarm, a machine, a fault code or words. Order: same fault code, model, machine, then matching words;
   * within each group, the most helpful first.
   */
  offer: call({
    method: 'GET',
    path: '/Maintenance/MtnKnowledgeBase/Offer',
    permission: 'm10610',
    query: Type.Object({
      AlmInfoId: Type.Optional(Id),
      DeviceId: Type.Optional(Id),
      EquipmentId: Type.Optional(Id),
      FaultCodeId: Type.Optional(Id),
      Words: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    answer: Type.Object({
      Items: Type.Array(
        Type.Object({
          Id,
          ...Article,
          /** Attachments; phones store their pictures for offline use. */
          Files: Type.Union([Attachments(10), Type.Null()]),
          Helped: Type.Integer(),
          NotHelped: Type.Integer(),
          /** Reason for the suggestion: 1 fault code, 2 model, 3 machine, 4 words. */
          Because: Type.Integer(),
          /** The caller's vote: 1 helpful, 0 not. */
          Voted: Type.Union([Type.Integer(), Type.Null()]),
        }),
      ),
    }),
  }),
  /** Drafts an article from a completed order: fault, cause, solution, parts, checklist, readings and photos. Once per order. */
  fromOrder: call({
    method: 'POST',
    path: '/Maintenance/MtnKnowledgeBase/FromOrder',
    permission: 'm10610.add',
    body: Type.Object({ OrderId: Id }),
    answer: ById,
  }),
  /** Votes on an article. The last vote of a person counts. */
  vote: call({
    method: 'POST',
    path: '/Maintenance/MtnKnowledgeBase/Vote',
    permission: 'm10610.vote',
    body: Type.Object({ Id, Helped: Type.Union([Type.Literal(0), Type.Literal(1)]) }),
    answer: Changed,
  }),
  /** Published versions, newest first. */
  versions: call({
    method: 'GET',
    path: '/Maintenance/MtnKnowledgeBase/Versions',
    permission: 'm10610',
    query: ById,
    answer: Type.Object({
      Items: Type.Array(Type.Object({ Version: Type.Integer(), ...Article, UserName: Maybe, PublishTime: Type.String() })),
    }),
  }),
}
