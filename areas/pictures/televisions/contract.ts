import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { flag, instant, json, ref, text } from '../../../contract/field.ts'
import { Id, type Row, resource, schemas } from '../../../contract/resource.ts'
import { Fixed, kinds } from '../shares/contract.ts'

const permission = 'm10135'
export const most = { entries: 20, seconds: 3600 }
const Hour = Type.Integer({ minimum: 0, maximum: 24 })

/** An entry of a playlist: content, duration, and hours of the day; the end may be on the next day. */
export const PlaylistEntry = Type.Object(
  {
    Kind: Type.Unsafe<1 | 2 | 3 | 4>(Type.Integer({ minimum: kinds.picture, maximum: kinds.project })),
    /** The picture, dashboard or project; absent for a map. */
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

/** A display that plays a playlist, paired by a code (ruling 45). */
export const television = resource('television', {
  path: '/Project/Ddt/Television',
  permission,
  title: 'TelevisionName',
  order: 'TelevisionName',
  // `pair` creates one.
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
    /** A high alarm takes over the screen until it is cleared, acknowledged or shelved. */
    ShowAlarms: flag({ required: true, default: 0 }),
    /** The person who assigned its playlist: it shows what this person may see. */
    UserId: ref('user', { set: 'never' }),
    LastSeenTime: instant({ age: true }),
    Address: text({ set: 'never', max: 60 }),
    Browser: text({ set: 'never', max: 200 }),
  },
})

/** Excludes letters and digits that look alike. */
export const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const Code = Type.String({ pattern: `^[${codeLetters}]{8}$`, maxLength: 8 })
const Secret = Type.String({ pattern: '^[\\w-]{32}$', maxLength: 32 })
const Text = Type.String()

export const televisionCalls = {
  /** Returns a code for a display. The secret stays on the display: the code alone is useless. */
  begin: call({
    method: 'POST',
    path: '/Tv/Begin',
    permission: 'public',
    reads: true,
    answer: Type.Object({ Code: Text, Secret: Text, Seconds: Type.Integer() }),
  }),
  /** Null until the code is entered; then the display's token, once. */
  claim: call({
    method: 'POST',
    path: '/Tv/Claim',
    permission: 'public',
    reads: true,
    body: Type.Object({ Code, Secret }),
    answer: Type.Object({ Token: Type.Union([Text, Type.Null()]) }),
  }),
  /** The display that shows a code, before it is paired. */
  look: call({
    method: 'POST',
    path: `${television.path}/Look`,
    permission: `${permission}.add`,
    body: Type.Object({ Code }),
    answer: Type.Object({ Address: Text, Browser: Text }),
  }),
  /** Replaces a display by another one, which plays the same playlist with the caller's rights. */
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
