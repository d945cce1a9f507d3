import { type DetailOptions, detail, list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { deviceVnc } from '../contract.ts'

const screenOf = ({ Id }: { Id: number }) => `/projectManagement/yncManagement?Id=${Id}`
const states: DetailOptions<typeof deviceVnc>['states'] = { Enabled: { 1: 'normal', 0: 'offline' } }

/** Panels of all devices, or of one. */
export const panels = list(deviceVnc, ['VncName', 'DeviceId', 'Enabled', 'Host', 'Port', 'ViewOnly', 'HasPassword', 'Remark'], {
  states,
  filters: ['DeviceId', 'Enabled'],
  see: ['m10103'],
  link: screenOf,
  looks: () => import('./panelForm.tsx'),
})

const page = detail(deviceVnc, { states, looks: () => import('./panelLooks.tsx') })

export const screens: Screens = { '/projectManagement/yncManagement': orDetail(panels, page) }
