import { agentCalls, gatewayPosition } from '../../../contract/areas/agents.ts'
import { Page } from '../../app/Page.tsx'
import { useCall } from '../../resource/api.ts'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useWords } from '../../words/words.ts'
import { AreaInput } from './AreaInput.tsx'
import { AreaMap } from './AreaMap.tsx'

const AreaOf = (props: { id?: string; value?: unknown; onChange?: (value: unknown) => void }) => <AreaInput {...props} />

/** Where gateways were seen; those outside the regions they were shipped for stand out. */
const Positions = () => {
  const t = useWords()
  const { data } = useCall(agentCalls.positions, { of: ['snAgent', 'gatewayPosition'] })
  return (
    <Page title={t('menu.m12001')}>
      <AreaMap counts={data ?? []} />
      <ResourceList
        of={gatewayPosition}
        columns={['SN', 'PositionTime', 'AreaCode', 'Source', 'AccuracyM', 'Address', 'IsCross']}
        filters={['IsCross', 'PositionTime']}
        form={{ inputs: { AreaCode: AreaOf } }}
      />
    </Page>
  )
}
export default Positions
