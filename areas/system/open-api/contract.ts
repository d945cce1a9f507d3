import { Type } from 'typebox'
import { ById, call } from '../../../contract/call.ts'
import { choice, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'
import type { RightsNode } from '../../people/roles/contract.ts'

const permission = 'm10433'

/**
 * A program's access. It acts for the person who made it, with those of its permissions that he has himself; its secret is shown
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
    /** A new secret; the old one is worth nothing from now on. Another person's program becomes the caller's own, if he may remove it. */
    resetKey: { button: 'resetKey', danger: true, adds: { Secret: Type.String() } },
  },
  fields: {
    ApiName: text({ required: true, unique: true, search: true, max: 60 }),
    AccessKey: text({ set: 'never', search: true, max: 40 }),
    UserId: ref('user', { set: 'never' }),
    /** Calls a minute, at most. */
    RatePerMinute: number({ integer: true, min: 1, max: 6000, required: true, default: 60 }),
    /** Networks it may call from, separated by commas; empty: from anywhere. */
    IpAllow: text({ max: 500, pattern: '^\\s*([0-9a-fA-F.:]+(/\\d{1,3})?\\s*(,\\s*|$))*$' }),
    ValidTo: instant({ set: 'always' }),
    Status: choice([1, 0], { required: true, set: 'never', default: 1, search: true }),
    Permissions: json({ set: 'never' }),
    LastUsedTime: instant({ age: true }),
    Calls: number({ integer: true, set: 'never' }),
    /** Refused since it was made: signature, address, rate. */
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
  /** The tree of permissions with a mark at those it has. */
  authList: call({ ...at('GET', '/AuthList'), query: ById, answer: Type.Array(Node) }),
  /** Exactly these permissions, none beyond the caller's own. */
  auth: call({
    ...at('POST', '/Auth', 'authorise'),
    body: Type.Object({ Id, Permissions: Type.Array(Type.String({ maxLength: 60 }), { maxItems: 2000 }) }),
    answer: row.row,
  }),
}
