import { list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { project } from '../../projects/contract.ts'
import { dataParse, parseDevices, parseGateways, parseProjects } from '../contract.ts'

const page = ({ Id }: { Id: number }) => `/protocolManagement/dataParse?Id=${Id}`
const assign =
  (to: string) =>
  ({ Id }: { Id: number }) =>
    `/protocolManagement/${to}?DataParseId=${Id}`
const parsers = list(dataParse, ['ParseName', 'Kind', 'Version', 'Remark'], {
  link: page,
  create: () => import('./CreateDialog.tsx'),
  // The test bench edits these fields.
  refine: () => ({ hidden: ['Kind', 'Input', 'Mapping', 'Script', 'Sample', 'Topic'] }),
  actions: {
    'dataParse.toProjects': { needs: 'm10505', to: assign('assignProject') },
    'dataParse.toGateways': { needs: 'm10506', to: assign('assignGateway') },
    'dataParse.toDevices': { needs: 'm10507', to: assign('assignDevice') },
  },
})
const assignment = (l: typeof parseProjects, columns: string[]) => async () => ({
  default: (await import('./AssignScreen.tsx')).assignScreen(l, columns),
})

export const screens: Screens = {
  '/protocolManagement/dataParse': orDetail(parsers, () => import('./ParsePage.tsx')),
  '/protocolManagement/assignProject': assignment(parseProjects, [project.title]),
  '/protocolManagement/assignGateway': assignment(parseGateways, [gateway.title, 'ProjectId']),
  '/protocolManagement/assignDevice': assignment(parseDevices, [device.title, 'GatewayId']),
}
