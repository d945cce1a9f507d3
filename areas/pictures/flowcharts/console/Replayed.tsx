import { type ComponentProps, useMemo, useState } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import { actedOn, type Scene } from '../../../../contract/picture/scene.ts'
import { alarmsAt } from './engine/replayed.ts'
import { PictureView } from './PictureView.tsx'
import { ReplayBar } from './ReplayBar.tsx'
import { type ReplaySpan, useReplay } from './useReplay.ts'

type Props = Pick<ComponentProps<typeof PictureView>, 'hand' | 'seen'> & {
  opened: ComponentProps<typeof PictureView>['opened'] & { Flowchart: { Id: number } }
  until: number
  close: () => void
}
/** A past state of a picture, with the timeline below. Read-only. */
const Replayed = ({ opened, until, hand, seen, close }: Props) => {
  const t = useWords()
  const [span, setSpan] = useState<ReplaySpan>('1h')
  const replay = useReplay(opened, span, until)
  const { past, newest, at } = replay
  const still = useMemo(() => ({ ...opened, Scene: actedOn(opened.Scene as Scene, () => false) }), [opened])
  const alarms = useMemo(() => (past ? alarmsAt(past, at) : []), [past, at])
  const shown = useMemo(() => past && { of: past, range: replay.range }, [past, replay.range])
  const then = newest && past ? { at, newest, alarms, step: past.Step, past: shown } : { at, newest: () => undefined, alarms, step: 0 }
  return (
    <div className="replayed" aria-busy={!past}>
      <p className="replay-note" role="status">
        {t(past ? 'pictures.notNow' : 'pictures.pastLoads')}
      </p>
      <PictureView opened={still} then={then} {...(hand && { hand })} {...(seen && { seen })} />
      <ReplayBar of={replay} span={span} setSpan={setSpan} close={close} />
    </div>
  )
}
export default Replayed
