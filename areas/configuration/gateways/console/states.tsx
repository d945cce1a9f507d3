import { type Condition, State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { gateway } from '../contract.ts'

export type Gateway = Row<typeof gateway> & Record<string, unknown>

const online: Record<number, Condition> = { 0: 'offline', 1: 'normal', 2: 'offline' }
const config: Record<number, Condition> = { 0: 'normal', 1: 'warning', 2: 'normal', 3: 'alarm' }

export const OnlineState = ({ of: { OnlineStatus } }: { of: Pick<Gateway, 'OnlineStatus'> }) => {
  const t = useWords()
  return <State is={online[OnlineStatus] ?? 'normal'}>{t(`gateway.OnlineStatus.${OnlineStatus}`)}</State>
}

export const ConfigState = ({ of: { ConfigStatus } }: { of: Pick<Gateway, 'ConfigStatus'> }) => {
  const t = useWords()
  return <State is={config[ConfigStatus] ?? 'normal'}>{t(`gateway.ConfigStatus.${ConfigStatus}`)}</State>
}
