import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { levels } from '../../../../console/theme/State.tsx'
import { gatewayEvent } from '../contract.ts'

/** Events of gateways, newest first. */
export const events = list(gatewayEvent, ['Time', 'GatewayId', 'Type', 'Level', 'Text'], {
  states: { Level: levels },
  links: { GatewayId: (row) => `/projectManagement/gatewayPreView?Id=${row.GatewayId}&tab=events` },
  readOnly: true,
  anyTenant: true,
})

export const screens: Screens = { '/projectManagement/gatewayEvent': events, '/dataAnalysis/gatewayEvent': events }
