import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { flag, instant, json, ref, text } from '../../../contract/field.ts'
import { Id, type Row, resource, schemas } from '../../../contract/resource.ts'
import { Fixed, kinds } from '../shares/contract.ts'

const permission = 'm10135'
export const most = { entries: 20, seconds: 3600 }
const Hour = Type.Integer({ minimum: 0, maximum: 24 })

/** One thing that a television shows, for how long, and within which hours of the day; the end may lie on the next day. */
export const PlaylistEntry = Type.Object(
  {
    Kind: Type.Unsafe<1 | 2 | 3 | 4>(Type.Integer({ minimum: kinds.picture, maximum: kinds.project })),
    /** The picture, dashboard or project; a map has none. */
    Id: Type.Optional(Id),
    Parameters: Type.Optional(Fixed),
    Seconds: Type.Integer({ minimum: 5, maximum: most.seconds }),
    From: Type.Optional(Hour),
    To: Type.Optional(Hour),
  },
  { additionalProperties: false },
)
export type PlaylistEntry = Static<typeof PlaylistEntry>
export const Playlist = Type.Array(PlaylistEntry, { minItems: 1, maxItems: most.entries })

/** A display that shows a playlist, paired by a code (ruling 45). */
export const television = resource('television', {
  path: '/Project/Ddt/Television',
  permission,
  title: 'TelevisionName',
  order: 'TelevisionName',
  // `pair` makes one.
  wire: { create: [] },
  fields: {
    TelevisionName: text({ required: true, max: 60, search: true }),
    ProjectId: ref('project', { set: 'create' }),
    Playlist: json({
      required: true,
      schema: Playlist,
      names: {
        flowchart: `$[*] ? (@.Kind == ${kinds.picture}).Id`,
        visualBoard: `$[*] ? (@.Kind == ${kinds.board}).Id`,
        project: `$[*] ? (@.Kind == ${kinds.project}).Id`,
      },
    }),
    /** A high alarm takes the screen until it is cleared, acknowledged or shelved. */
    ShowAlarms: flag({ required: true, default: 0 }),
    /** Who gave its playlist: it shows what this person may see. */
    UserId: ref('user', { set: 'never' }),
    LastSeenTime: instant({ age: true }),
    Address: text({ set: 'never', max: 60 }),
    Browser: text({ set: 'never', max: 200 }),
  },
})

/** Without letters and digits that look alike. */
export const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const Code = Type.String({ pattern: `^[${codeLetters}]{8}$`, maxLength: 8 })
const Secret = Type.String({ pattern: '^[\\w-]{32}$', maxLength: 32 })
const Text = Type.String()

export const televisionCalls = {
  /** A display asks for a code. The secret stays with it: the code alone is worth nothing. */
  begin: call({
    method: 'POST',
    path: '/Tv/Begin',
    permission: 'public',
    reads: true,
    answer: Type.Object({ Code: Text, Secret: Text, Seconds: Type.Integer() }),
  }),
  /** Null until somebody has entered the code; then the display's token, once. */
  claim: call({
    method: 'POST',
    path: '/Tv/Claim',
    permission: 'public',
    reads: true,
    body: Type.Object({ Code, Secret }),
    answer: Type.Object({ Token: Type.Union([Text, Type.Null()]) }),
  }),
  /** Which display shows a code, before it is paired. */
  look: call({
    method: 'POST',
    path: `${television.path}/Look`,
    permission: `${permission}.add`,
    body: Type.Object({ Code }),
    answer: Type.Object({ Address: Text, Browser: Text }),
  }),
  /** Another display in the place of one: from now on it plays the same, as what the caller may see. */
  replace: call({
    method: 'POST',
    path: `${television.path}/Replace`,
    permission: `${permission}.edit`,
    body: Type.Object({ Code, Id }),
    answer: Type.Unsafe<Row<typeof television>>(schemas(television).row),
  }),
  pair: call({
    method: 'POST',
    path: `${television.path}/Pair`,
    permission: `${permission}.add`,
    body: Type.Object({
      Code,
      TelevisionName: Type.String({ minLength: 1, maxLength: 60 }),
      Playlist,
      ShowAlarms: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
      ProjectId: Type.Optional(Id),
      EnterpriseId: Type.Optional(Id),
    }),
    answer: Type.Unsafe<Row<typeof television>>(schemas(television).row),
  }),
}
