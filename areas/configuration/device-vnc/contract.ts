import { type Static, Type } from 'typebox'
import { ById, call } from '../../../contract/call.ts'
import { choice, flag, long, number, ref, text } from '../../../contract/field.ts'
import { resource, schemas } from '../../../contract/resource.ts'
import { type BoundSecrets, Secret } from '../../../contract/settings.ts'
import { whole } from '../../../contract/validators.ts'

/** A field panel, reached over VNC (RFC 6143). Its password is write-only and not a field. */
export const deviceVnc = resource('deviceVnc', {
  path: '/Project/DeviceVnc',
  permission: 'm10122',
  title: 'VncName',
  owner: 'DeviceId',
  order: 'VncName',
  fields: {
    VncName: text({ required: true, unique: 'DeviceId', search: true }),
    DeviceId: ref('device', { required: true, set: 'create' }),
    Host: text({ required: true, max: 253, validator: 'host' }),
    Port: number({ required: true, ...whole('port'), default: 5900 }),
    /** 1: control is disabled. */
    ViewOnly: flag({ required: true, default: 1 }),
    Enabled: choice([1, 0], { required: true, default: 1, search: true }),
    HasPassword: flag({ set: 'never', default: 0 }),
    Remark: long(),
  },
})

/** A password is bound to one address. */
export const panelSecrets = { Password: ['Host', 'Port'] } as const satisfies BoundSecrets

const { draft, change } = schemas(deviceVnc)
export const panelShapes = {
  draft: Type.Object({ ...draft.properties, Password: Secret }),
  change: Type.Object({ ...change.properties, Password: Secret }),
}

/** The WebSocket of a viewer. Binary messages are RFB 3.8 without a password; text messages are `ViewerMessage` and `ViewerRequest`. */
export const panelSocketPath = '/api/hubs/devicevnc'

export const deviceVncCalls = {
  /** A ticket for one socket at `panelSocketPath`, valid once and for a minute. */
  open: call({
    method: 'POST',
    path: `${deviceVnc.path}/Open`,
    permission: deviceVnc.permission,
    reads: false,
    body: ById,
    answer: Type.Object({ Ticket: Type.String(), ExpireSeconds: Type.Integer() }),
  }),
}

/** Why a viewer was disconnected. Words at `deviceVnc.Reason.<reason>`. */
export const panelEnds = [
  ...['address', 'unreachable', 'silent', 'noRfb', 'tooLarge', 'security', 'password', 'passwordMissing', 'refused', 'closed'],
  ...['slow', 'malformed', 'rights', 'signedOut', 'disabled', 'changed', 'shutdown', 'left'],
] as const
export type PanelEnd = (typeof panelEnds)[number]

/** From the server: the state of the panel's viewers after each change, and the reason before the socket closes. */
export type ViewerMessage =
  | { Viewers: { Name: string; Controls: boolean }[]; Controls: boolean; MayControl: boolean }
  | { Ended: PanelEnd; Text?: string }
/** From the browser: takes or releases control. */
export const ViewerRequest = Type.Object({ Control: Type.Boolean() }, { additionalProperties: false })
export type ViewerRequest = Static<typeof ViewerRequest>
