import { type Static, Type } from 'typebox'
import { choice, flag, instant, json, number, ref, text } from '../../../contract/field.ts'
import { resource, schemas } from '../../../contract/resource.ts'

export const kinds = { picture: 1, board: 2, map: 3, project: 4 } as const
export type Kind = (typeof kinds)[keyof typeof kinds]
export const kindCodes = [kinds.picture, kinds.board, kinds.map, kinds.project] as const

/** The permission that the creator must hold, by kind. */
export const seenBy: Readonly<Record<Kind, string>> = { 1: 'm10125', 2: 'm10310', 3: 'm10311', 4: 'm10101' }
/** The field that names the shared record. A map shows all projects visible to its creator. */
export const targetOf: Readonly<Record<Kind, 'FlowchartId' | 'VisualBoardId' | 'ProjectId' | undefined>> = {
  1: 'FlowchartId',
  2: 'VisualBoardId',
  3: undefined,
  4: 'ProjectId',
}

/** Parameters of a picture, or variables of a dashboard, fixed when it is shared. The address cannot change them. */
export const Fixed = Type.Array(
  Type.Object(
    { Name: Type.String({ minLength: 1, maxLength: 50 }), Value: Type.Union([Type.String({ maxLength: 200 }), Type.Number()]) },
    { additionalProperties: false },
  ),
  { maxItems: 50 },
)
export type Fixed = Static<typeof Fixed>

const hour = 1
const day = 24
/** A link to one picture, dashboard, map or project, for people without an account (ruling 45). It shows what its creator may see at that moment. */
export const share = resource('share', {
  path: '/Project/Ddt/Share',
  permission: 'm10134',
  title: 'ShareName',
  order: '-ValidTo',
  wire: { update: [] },
  differs: {
    answers: 'Its address is shown once, to its maker.',
    changes: 'A link is made and revoked, not changed.',
    unsettable: 'Its end and its maker are set with it.',
  },
  fields: {
    ShareName: text({ required: true, max: 60, search: true, set: 'create' }),
    Kind: choice(kindCodes, { required: true, set: 'create', search: true, default: kinds.map }),
    FlowchartId: ref('flowchart', { set: 'create' }),
    VisualBoardId: ref('visualBoard', { set: 'create' }),
    ProjectId: ref('project', { set: 'create' }),
    Hours: choice([hour, day, 7 * day, 30 * day, 90 * day, 365 * day], { required: true, set: 'create', default: 7 * day }),
    /** Viewers must enter six digits. */
    WithPin: flag({ required: true, set: 'create', default: 0 }),
    Parameters: json({ schema: Fixed, set: 'create' }),
    ValidTo: instant(),
    /** The person with whose rights it is shown. */
    UserId: ref('user', { set: 'never' }),
    LastUsedTime: instant({ age: true }),
    /** Number of times it was opened. */
    Views: number({ integer: true, required: true, set: 'never', default: 0 }),
  },
})

/** Shown once. */
export const WithToken = Type.Object({
  ...schemas(share).row.properties,
  Token: Type.String(),
  Pin: Type.Union([Type.String(), Type.Null()]),
})
