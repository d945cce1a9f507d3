import { type Condition, State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { device } from '../contract.ts'

export type Device = Row<typeof device> & Record<string, unknown>

const conditions: Record<number, Condition> = { 0: 'offline', 1: 'normal', 2: 'alarm', 3: 'offline' }

export const DeviceState = ({ of: { Status } }: { of: Pick<Device, 'Status'> }) => {
  const t = useWords()
  return <State is={conditions[Status] ?? 'normal'}>{t(`device.Status.${Status}`)}</State>
}
