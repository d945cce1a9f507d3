import { useCall } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { agentCalls, gatewayPosition } from '../contract.ts'
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
