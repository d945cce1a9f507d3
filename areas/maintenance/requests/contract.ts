import { Type } from 'typebox'
import { ById, call, IdList } from '../../../contract/call.ts'
import { Attachments, Id } from '../../../contract/resource.ts'
import { myOrders } from '../orders/contract.ts'

/** Limits: reports per address and hour, per machine and day, per company and day. */
export const mostReports = { perHour: 5, perMachine: 20, perCompany: 200 }
export const mostPhotos = 3
/** Maximum labels per call: ten sheets. */
export const mostLabels = 240
/** Maximum base64 length of a photo. Phones shrink photos to 200 KB before sending. */
const photoLength = 280_000
/** Days for which the sender can see the state after the order has ended. */
export const stateDays = 30

/** Maximum bytes of a report with photos, for anonymous senders as well (server/http/bodies.ts). */
const reportBytes = mostPhotos * photoLength + 16 * 1024

/** `<equipment>.<secret>` of a label, in the fragment of its address. */
const LabelToken = Type.String({ minLength: 34, maxLength: 60, pattern: '^\\d+\\.[\\w-]{32}$' })
const StateToken = Type.String({ minLength: 32, maxLength: 32, pattern: '^[\\w-]{32}$' })
const MachineOfLabel = Type.Object({ MachineName: Type.String(), CompanyName: Type.String(), Logo: Type.String() })
const Report = {
  Label: LabelToken,
  Desc: Type.String({ minLength: 1, maxLength: 500 }),
  Photos: Type.Optional(Type.Array(Type.String({ maxLength: photoLength, pattern: '^[A-Za-z0-9+/]+={0,2}$' }), { maxItems: mostPhotos })),
}

export const requestCalls = {
  /** Data for the page of a label. */
  machine: call({
    ...{ method: 'POST', path: '/Share/ReportMachine', permission: 'public', reads: true },
    body: Type.Object({ Label: LabelToken }),
    answer: MachineOfLabel,
  }),
  /** Accepts a report; `Token` gives access to its state. */
  report: call({
    ...{ method: 'POST', path: '/Share/ReportFault', permission: 'public' },
    body: Type.Object({ ...Report, Contact: Type.Optional(Type.String({ maxLength: 100 })) }, { 'x-bytes': reportBytes }),
    answer: Type.Object({ Token: StateToken }),
  }),
  /** Only the state of a report. */
  state: call({
    ...{ method: 'POST', path: '/Share/ReportState', permission: 'public', reads: true },
    body: Type.Object({ Token: StateToken }),
    answer: Type.Object({ Status: Type.Integer() }),
  }),
  /** Path of a label's QR code, without the server name. */
  label: call({
    ...{ method: 'GET', path: '/Maintenance/MtnEquipment/Label', permission: 'm10613' },
    query: ById,
    answer: Type.Object({ Path: Type.String(), Takes: Type.Union([Type.Literal(0), Type.Literal(1)]) }),
  }),
  /** The same for many machines, in order. Logged, because each address accepts reports. */
  labels: call({
    ...{ method: 'POST', path: '/Maintenance/MtnEquipment/Labels', permission: 'm10613.edit' },
    body: Type.Object({ Ids: IdList(mostLabels) }),
    answer: Type.Object({
      Items: Type.Array(Type.Object({ Id, Path: Type.String() })),
      Takes: Type.Union([Type.Literal(0), Type.Literal(1)]),
    }),
  }),
  /** For signed-in users: the machine of a label, and whether they may open its page. */
  machineOfLabel: call({
    ...{ method: 'POST', path: '/Maintenance/MtnEquipment/OfLabel', permission: 'session', reads: true },
    body: Type.Object({ Label: LabelToken }),
    answer: Type.Object({ ...MachineOfLabel.properties, Id, MayOpen: Type.Union([Type.Literal(0), Type.Literal(1)]) }),
  }),
  /** A report by a signed-in user who may not open the machine's page. Within a company, it works even if anonymous reports are off. */
  reportByLabel: call({
    ...{ method: 'POST', path: '/Maintenance/MtnEquipment/ReportByLabel', permission: 'session' },
    body: Type.Object(Report, { 'x-bytes': reportBytes }),
    answer: Type.Object({ Token: StateToken }),
  }),
  /** A fault report by a signed-in user at a machine. Requires no permission to open orders. */
  reportHere: call({
    ...{ method: 'POST', path: '/Maintenance/MtnEquipment/ReportFault', permission: `${myOrders}.work` },
    body: Type.Object({
      Id,
      Desc: Type.String({ minLength: 1, maxLength: 500 }),
      Stopped: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
      Files: Type.Optional(Attachments(mostPhotos)),
    }),
    answer: Type.Object({ Id, OrderNo: Type.String() }),
  }),
  /** Invalidates all printed labels of a machine. */
  renewLabel: call({
    ...{ method: 'POST', path: '/Maintenance/MtnEquipment/RenewLabel', permission: 'm10613.edit' },
    body: ById,
    answer: Type.Object({ Path: Type.String() }),
  }),
}
