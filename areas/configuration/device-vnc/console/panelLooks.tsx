import { Link } from 'react-router'
import type { DetailLooks } from '../../../../console/kernel/plainScreens.ts'
import type { deviceVnc } from '../contract.ts'

export { PanelViewer as Notice } from './PanelViewer.tsx'

export const head: DetailLooks<typeof deviceVnc>['head'] = (row) => ({
  belongs: (
    <>
      <Link to={`/projectManagement/devicePointList?Id=${row.DeviceId}&tab=panels`}>{String(row.DeviceName ?? '')}</Link> · {row.Host}:
      {row.Port}
    </>
  ),
})
