import { Type } from 'typebox'
import { ById, call } from '../../../contract/call.ts'
import { choice, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'
import type { RightsNode } from '../../people/roles/contract.ts'

const permission = 'm10433'

/**
 * A program's credential. It acts for the person who created it, with those of its permissions that the person has; its secret is shown
 * once.
 */
export const apiCredential = resource('apiCredential', {
  path: '/System/Api',
  permission,
  title: 'ApiName',
  order: 'ApiName',
  differs: {
    answers: 'The secret is shown once, to whoever makes it.',
    changes: 'The secret is shown once, to whoever makes it.',
    unsettable: 'Its key is made with it.',
  },
  acts: {
    enable: { button: 'edit', set: { Status: 1 } },
    disable: { button: 'edit', set: { Status: 0 }, danger: true },
    /** Creates a new secret; the old one becomes invalid. Takes over another person's program, which requires the right to remove it. */
    resetKey: { button: 'resetKey', danger: true, adds: { Secret: Type.String() } },
  },
  fields: {
    ApiName: text({ required: true, unique: true, search: true, max: 60 }),
    AccessKey: text({ set: 'never', search: true, max: 40 }),
    UserId: ref('user', { set: 'never' }),
    /** Maximum calls per minute. */
    RatePerMinute: number({ integer: true, min: 1, max: 6000, required: true, default: 60 }),
    /** Allowed networks, separated by commas; empty: all networks. */
    IpAllow: text({ max: 500, pattern: '^\\s*([0-9a-fA-F.:]+(/\\d{1,3})?\\s*(,\\s*|$))*$' }),
    ValidTo: instant({ set: 'always' }),
    Status: choice([1, 0], { required: true, set: 'never', default: 1, search: true }),
    Permissions: json({ set: 'never' }),
    LastUsedTime: instant({ age: true }),
    Calls: number({ integer: true, set: 'never' }),
    /** Number of refused calls since its creation: signature, address, rate. */
    Refused: number({ integer: true, set: 'never' }),
    Remark: long(),
  },
})

const row = schemas(apiCredential)
/** Shown once. */
export const WithSecret = Type.Object({ ...row.row.properties, Secret: Type.String() })
const Node = Type.Unsafe<RightsNode>({ type: 'object', additionalProperties: true })
const at = (method: 'GET' | 'POST' | 'PUT', suffix: string, button?: string) => ({
  method,
  path: `${apiCredential.path}${suffix}`,
  permission: button ? `${permission}.${button}` : permission,
})

export const openApiCalls = {
  /** The tree of permissions; those of the program are checked. */
  authList: call({ ...at('GET', '/AuthList'), query: ById, answer: Type.Array(Node) }),
  /** Sets exactly these permissions, none beyond the caller's own. */
  auth: call({
    ...at('POST', '/Auth', 'authorise'),
    body: Type.Object({ Id, Permissions: Type.Array(Type.String({ maxLength: 60 }), { maxItems: 2000 }) }),
    answer: row.row,
  }),
}
