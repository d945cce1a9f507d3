import { Type } from 'typebox'
import { choice, flag, long, ref, text } from '../../../contract/field.ts'
import { resource, schemas } from '../../../contract/resource.ts'

/**
 * An external address that gets alarm events: an incident system. Its secret signs what it is sent; it is shown once and has no field.
 * Alarms of one project, or of the whole tenant (ProjectId null), which only somebody who sees all projects can ask for.
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
    /** A sample, signed like everything else. */
    test: { button: 'edit', touches: ['almPushRecord'], answer: Type.Object({ Id: Type.Integer(), Target: Type.String() }) },
    /** A new secret; the old one signs nothing from this call on. */
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

/** What may happen to an alarm; `level`: it has risen. One of each for an alarm (of `level` one for each level). */
export const alarmEvents = ['raised', 'level', 'acknowledged', 'handled', 'recovered'] as const
export type AlarmEvent = (typeof alarmEvents)[number]

/** A secret belongs to one address. */
export const MaybeSecret = Type.Object({ ...schemas(alarmWebhook).row.properties, Secret: Type.Optional(Type.String()) })
export const WithSecret = Type.Object({ ...schemas(alarmWebhook).row.properties, Secret: Type.String() })
