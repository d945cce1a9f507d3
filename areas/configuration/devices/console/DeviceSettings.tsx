import { useRow } from '../../../../console/kernel/api.ts'
import { protocolOf } from '../../../../contract/protocols/index.ts'
import { LineSettings } from '../../channels/console/index.ts'
import { netProtocol, serialProtocol } from '../../channels/contract.ts'

type Values = Record<string, unknown>
const idOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** Protocol settings of a device in addition to its unit ID, such as the address of a meter. */
export const DeviceSettings = ({ values, row }: { values: Values; row: Values | undefined }) => {
  const isSerial = values.CommType === 1
  const net = useRow(netProtocol, isSerial ? undefined : idOf(values.NetProtocolId))
  const serial = useRow(serialProtocol, isSerial ? idOf(values.SerialProtocolId) : undefined)
  const protocol = protocolOf(Number((isSerial ? serial : net).data?.ProtocolType ?? Number.NaN))
  return protocol ? <LineSettings fields={protocol.device} row={row} kind={protocol.name} /> : null
}
