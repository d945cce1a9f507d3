import { useState } from 'react'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type Kind, share, targetOf } from '../contract.ts'
import { FixedFields } from './FixedInput.tsx'
import { type MadeShare, ShareMade } from './ShareMade.tsx'

const targets = ['FlowchartId', 'VisualBoardId', 'ProjectId'] as const
/** The target field depends on the kind. */
const refine = ({ Kind }: Record<string, unknown>) => {
  const target = targetOf[Number(Kind) as Kind]
  return { hidden: targets.filter((name) => name !== target), required: target ? [target] : [], where: { FlowchartId: { State: 1 } } }
}

/** Fixed values depend on the target. */
const below = (values: Record<string, unknown>) => {
  const kind = Number(values.Kind) as Kind
  const target = Number(values[targetOf[kind] ?? '']) || undefined
  return <FixedFields key={`${kind} ${target}`} kind={kind} target={target} />
}

/** All links, with the time they were last opened. */
const SharesScreen = () => {
  const t = useWords()
  const [made, setMade] = useState<MadeShare>()
  return (
    <Page title={t('menu.m10134')}>
      <ResourceList
        of={share}
        columns={[
          'ShareName',
          'Kind',
          'FlowchartId',
          'VisualBoardId',
          'ProjectId',
          'ValidTo',
          'WithPin',
          'UserId',
          'LastUsedTime',
          'Views',
        ]}
        filters={['Kind']}
        form={{ refine, below, onSaved: (row) => 'Token' in row && setMade(row as unknown as MadeShare) }}
      />
      {made && <ShareMade of={made} close={() => setMade(undefined)} />}
    </Page>
  )
}
export default SharesScreen
