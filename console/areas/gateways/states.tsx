import type { gateway } from '../../../contract/areas/gateways.ts'
import type { Row } from '../../../contract/base/resource.ts'
import { type Condition, State } from '../../theme/State.tsx'
import { useWords } from '../../words/words.ts'

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
