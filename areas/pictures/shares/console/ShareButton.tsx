import { ShareAltOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Fixed, type Kind, share, targetOf } from '../contract.ts'
import { type MadeShare, ShareMade } from './ShareMade.tsx'

type Props = { kind: Kind; target?: number; name: string; parameters?: Fixed }

/** Makes a link to what is on the screen, as it is there. */
export const ShareButton = ({ kind, target, name, parameters }: Props) => {
  const t = useWords()
  const may = useMay(`${share.permission}.add`)
  const [isAsking, ask] = useState(false)
  const [made, setMade] = useState<MadeShare>()
  if (!may) return null
  const field = targetOf[kind]
  const none = { FlowchartId: null, VisualBoardId: null, ProjectId: null }
  const fixed = { Kind: kind, ...none, ...(field && target ? { [field]: target } : {}) }
  return (
    <>
      <Button icon={<ShareAltOutlined />} onClick={() => ask(true)}>
        {t('share.act')}
      </Button>
      {isAsking && (
        <ResourceForm
          of={share}
          fixed={parameters?.length ? { ...fixed, Parameters: parameters as never } : fixed}
          begin={{ ShareName: name.slice(0, 60) }}
          onSaved={(row) => setMade(row as unknown as MadeShare)}
          close={() => ask(false)}
        />
      )}
      {made && <ShareMade of={made} close={() => setMade(undefined)} />}
    </>
  )
}
