// What the area itself writes of reports: fields that people do not set.
import { store } from '../../../../server/resource/store.ts'
import { coldReport } from '../contract.ts'

const open = Object.fromEntries(Object.entries(coldReport.fields).map(([name, field]) => [name, { ...field, set: 'always' as const }]))
export const ownReports = store({ ...coldReport, fields: open as unknown as typeof coldReport.fields })
