import { Type } from 'typebox'
import { choice, flag, long, ref, text } from '../../../contract/field.ts'
import { resource, schemas } from '../../../contract/resource.ts'

/**
 * An external address that receives alarm events, such as an incident system. Its secret signs the messages; it is shown once and is not a
 * field. Covers one project or the whole tenant (ProjectId null), which requires access to all projects.
 */
export const alarmWebhook = resource('alarmWebhook', {
  path: '/Alarm/AlarmWebhook',
  permission: 'm10231',
  title: 'HookName',
  owner: 'ProjectId',
  order: 'HookName',
  differs: {
    answers: 'The secret is shown once, to whoever makes it.',
    changes: 'Another address gets another secret, which is shown once.',
  },
  acts: {
    /** Sends a sample, signed like all messages. */
    test: { button: 'edit', touches: ['almPushRecord'], answer: Type.Object({ Id: Type.Integer(), Target: Type.String() }) },
    /** Creates a new secret; the old one is no longer used. */
    resetKey: { button: 'resetKey', danger: true, adds: { Secret: Type.String() } },
  },
  fields: {
    HookName: text({ required: true, unique: true, search: true, max: 60 }),
    Url: text({ required: true, max: 500, pattern: '^https?://[^\\s/]' }),
    ProjectId: ref('project', { set: 'create' }),
    /** Of this level or higher. */
    AlarmLevel: choice([1, 2, 3], { required: true, default: 1 }),
    OnRaised: flag({ required: true, default: 1 }),
    OnAcknowledged: flag({ required: true, default: 1 }),
    OnHandled: flag({ required: true, default: 1 }),
    OnRecovered: flag({ required: true, default: 1 }),
    Enabled: choice([1, 0], { required: true, default: 1, search: true }),
    Remark: long(),
  },
})

/** Events of an alarm; `level`: the level has risen. Each occurs once per alarm (`level` once per level). */
export const alarmEvents = ['raised', 'level', 'acknowledged', 'handled', 'recovered'] as const
export type AlarmEvent = (typeof alarmEvents)[number]

/** A secret is bound to one address. */
export const MaybeSecret = Type.Object({ ...schemas(alarmWebhook).row.properties, Secret: Type.Optional(Type.String()) })
export const WithSecret = Type.Object({ ...schemas(alarmWebhook).row.properties, Secret: Type.String() })
