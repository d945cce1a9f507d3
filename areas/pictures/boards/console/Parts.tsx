import { lazy, Suspense } from 'react'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { ProjectMap } from '../../maps/console/index.ts'
import type { Widget } from '../contract.ts'
import { useBoard, useDeviceOfRow } from './useBoardData.ts'
import type { WidgetProps } from './Widget.tsx'

const PictureView = lazy(() => import('../../flowcharts/console/PictureView.tsx').then((m) => ({ default: m.PictureView })))

/** Map of the selected project, or of all. */
export const OnMap = () => {
  const t = useWords()
  const { data } = useBoard()
  if (!data) return null
  if (!data.Map) return <EmptyList text={t('board.withheld')} />
  return <ProjectMap items={data.Map} isPart />
}

/** The picture of a widget, if the user may see it. */
export const usePicture = ({ Kind, Flowchart }: Widget) => {
  const { pictures } = useBoard()
  return Kind === 'picture' ? pictures?.find(({ Id }) => Id === Flowchart) : undefined
}

/** A published picture, view only; its buttons work on its own screen. */
export const Picture = ({ widget }: WidgetProps) => {
  const t = useWords()
  const { pictures, isEdited } = useBoard()
  const picture = usePicture(widget)
  const device = useDeviceOfRow()
  if (!widget.Flowchart) return <p className="board-note soft">{t('board.noPicture')}</p>
  if (!picture) {
    if (isEdited) return <p className="board-note soft">{t('board.afterSavingPicture')}</p>
    return pictures && <p className="board-note soft">{t('board.withheld')}</p>
  }
  const shown = picture.Shown.find(({ DeviceId }) => DeviceId === device) ?? picture.Shown[0]
  if (!shown) return null
  const { Scene, Inside, Version, FlowchartName } = picture
  return (
    <div className="board-picture">
      <Suspense fallback={null}>
        <PictureView key={`${Version} ${shown.DeviceId}`} opened={{ ...shown, Scene, Inside, Flowchart: { FlowchartName } }} />
      </Suspense>
    </div>
  )
}
