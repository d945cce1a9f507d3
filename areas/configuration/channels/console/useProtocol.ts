import { useRow } from '../../../../console/kernel/api.ts'
import { protocolOf } from '../../../../contract/protocols/index.ts'
import { device } from '../../devices/contract.ts'
import { netProtocol, serialProtocol } from '../contract.ts'

/** The channel of a device, in the form of calls, and its protocol. Undefined until both are loaded. */
export const useProtocol = (deviceId: number | undefined) => {
  const { data } = useRow(device, deviceId)
  const isSerial = data?.CommType === 1
  const net = useRow(netProtocol, (!isSerial && data?.NetProtocolId) || undefined)
  const serial = useRow(serialProtocol, (isSerial && data?.SerialProtocolId) || undefined)
  const channel = isSerial ? serial.data : net.data
  if (!data || !channel) return undefined
  return {
    gatewayId: data.GatewayId,
    channel: isSerial ? { SerialProtocolId: channel.Id } : { NetProtocolId: channel.Id },
    protocol: protocolOf(channel.ProtocolType),
  }
}
