import { useRef, useState } from 'react'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { type Fixed, type Kind, share, targetOf } from '../contract.ts'
import { FixedFields } from './FixedInput.tsx'
import { type MadeShare, ShareMade } from './ShareMade.tsx'

type Props = { kind: Kind; target?: number; name: string; parameters?: Fixed; close: () => void }
/** Form for the lifetime and PIN of a link; then shows the link. */
const ShareDialog = ({ kind, target, name, parameters, close }: Props) => {
  const [made, setMade] = useState<MadeShare>()
  // The form closes itself after saving.
  const isMade = useRef(false)
  const field = targetOf[kind]
  const none = { FlowchartId: null, VisualBoardId: null, ProjectId: null }
  const fixed = { Kind: kind, ...none, ...(field && target ? { [field]: target } : {}) }
  if (made) return <ShareMade of={made} close={close} />
  return (
    <ResourceForm
      of={share}
      fixed={fixed}
      begin={{ ShareName: name.slice(0, 60) }}
      below={() => <FixedFields kind={kind} target={target} begin={parameters} />}
      onSaved={(row) => {
        isMade.current = true
        setMade(row as unknown as MadeShare)
      }}
      close={() => !isMade.current && close()}
    />
  )
}
export default ShareDialog
