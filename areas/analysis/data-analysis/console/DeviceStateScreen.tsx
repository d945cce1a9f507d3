import { useWords } from '../../../../console/words/words.ts'
import { Frame } from './Frame.tsx'
import { StateLanes } from './StateLanes.tsx'
import { useExplore } from './useExplore.ts'

const most = 20
const answered = { data: true, error: null, refetch: () => undefined }

/** The states of points over time. */
const DeviceStateScreen = () => {
  const t = useWords()
  const explore = useExplore(most)
  return (
    <Frame code="m10307" explore={explore} answer={answered} none={t('explore.none')}>
      <StateLanes points={explore.points} range={explore.range} />
    </Frame>
  )
}
export default DeviceStateScreen
