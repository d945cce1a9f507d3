import { Type } from 'typebox'
import { choice, instant, long, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** How readings are written: the only ways that exist. */
export const [asJson, asLines] = [1, 2] as const
/** Points of a project that are sent, those made first. */
export const mostSentPoints = 10_000

/**
 * A system of others that gets the latest values of a project by HTTP, every so often. A secret signs them once somebody has made one; it
 * is shown once and has no field.
 */
export const thirdPartyAccess = resource('thirdPartyAccess', {
  path: '/Project/ThirdPartyAccess',
  permission: 'm10137',
  title: 'AccessName',
  owner: 'ProjectId',
  order: 'AccessName',
  acts: {
    /** A new secret; the old one signs nothing from this call on. */
    resetKey: { button: 'resetKey', danger: true, adds: { Secret: Type.String() } },
  },
  fields: {
    AccessName: text({ required: true, unique: true, search: true }),
    ProjectId: ref('project', { required: true, set: 'create', search: true }),
    Url: text({ required: true, max: 500, pattern: '^https?://[^\\s/]' }),
    Format: choice([asJson, asLines], { required: true, default: asJson, search: true }),
    Period: number({ required: true, integer: true, min: 10, max: 86_400, default: 60, unit: 's' }),
    Enabled: choice([1, 0], { required: true, default: 1, search: true }),
    /** 0 nothing sent yet, 1 delivered, 2 failed. */
    SendStatus: choice([0, 1, 2], { required: true, set: 'never', default: 0, search: true }),
    LastTime: instant(),
    /** Why the last attempt failed. */
    LastFault: text({ set: 'never', max: 200 }),
    Remark: long(),
  },
})
