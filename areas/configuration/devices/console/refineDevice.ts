import type { Refinement } from '../../../../console/kernel/ResourceForm.tsx'

/** A device hangs on one channel of its gateway: a network one or a serial one. */
export const refineDevice = (values: Record<string, unknown>): Refinement => {
  const where = { GatewayId: (values.GatewayId as number | null) ?? undefined }
  const [channel, other] = values.CommType === 1 ? ['SerialProtocolId', 'NetProtocolId'] : ['NetProtocolId', 'SerialProtocolId']
  return {
    // Without a channel nothing is read.
    required: where.GatewayId ? [channel!] : [],
    hidden: [other!, ...(where.GatewayId ? [] : [channel!])],
    where: { NetProtocolId: where, SerialProtocolId: where },
  }
}
