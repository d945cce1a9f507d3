import type { Refinement } from '../../../../console/kernel/ResourceForm.tsx'

/** A device uses one channel of its gateway, either network or serial. */
export const refineDevice = (values: Record<string, unknown>): Refinement => {
  const where = { GatewayId: (values.GatewayId as number | null) ?? undefined }
  const [channel, other] = values.CommType === 1 ? ['SerialProtocolId', 'NetProtocolId'] : ['NetProtocolId', 'SerialProtocolId']
  return {
    // A device without a channel is never read.
    required: where.GatewayId ? [channel!] : [],
    hidden: [other!, ...(where.GatewayId ? [] : [channel!])],
    where: { NetProtocolId: where, SerialProtocolId: where },
  }
}
