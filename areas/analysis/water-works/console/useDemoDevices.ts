import { useMemo } from 'react'
import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { type ParaInfo, telemetryCalls } from '../../../../contract/telemetry.ts'
import { alarmCalls } from '../../../alarms/alarms/contract.ts'
import { demoSN } from '../../../configuration/demo/contract.ts'
import { device } from '../../../configuration/devices/contract.ts'

export type Device = { id: number; status: number; points: ReadonlyMap<string, ParaInfo> }

/** The devices of the demo company's gateway by unit ID, none if the reader cannot see it. `settled` is true once they are loaded. */
export const useDemoDevices = () => {
  const [sees, seesPoints] = [useMay('m10201'), useMay('m10301')]
  const gateways = useCall(alarmCalls.serials, { of: ['gateway'], enabled: sees })
  const GatewayId = gateways.data?.find((g) => g.Name === demoSN)?.Id
  const isDemo = GatewayId !== undefined
  const found = useRows(device, { PageIndex: 1, PageSize: 100, GatewayId }, { enabled: isDemo })
  const points = useCall(telemetryCalls.allParaInfo, { query: {}, of: ['point', 'device'], enabled: seesPoints })
  const devices = useMemo(() => {
    if (!isDemo || !found.data || !points.data) return undefined
    const ofDevice = Map.groupBy(points.data, (p) => p.DeviceId)
    return new Map(
      found.data.Items.map((row): [number, Device] => [
        row.SlaveNumber,
        { id: row.Id, status: row.Status, points: new Map(ofDevice.get(row.Id)?.map((p) => [p.ParaName, p])) },
      ]),
    )
  }, [isDemo, found.data, points.data])
  const settled = (!seesPoints || points.isFetched) && (!sees || gateways.isFetched) && (!isDemo || found.isFetched)
  return { devices, settled }
}
