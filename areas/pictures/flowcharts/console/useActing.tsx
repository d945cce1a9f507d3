import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useMay } from '../../../../console/session/session.ts'
import { type Action, writing } from '../../../../contract/picture/scene.ts'
import type { AlarmRow, Opened } from '../contract.ts'
import type { Acting, Origin } from './ActDialog.tsx'
import { alarmsOf, offered, pictureAddress } from './acting.ts'
import { useComposed } from './PictureView.tsx'
import { ledTo } from './Trail.tsx'

const AckDialog = lazy(() => import('./AckDialog.tsx'))
const ActDialog = lazy(() => import('./ActDialog.tsx'))

type Needs = {
  opened: Opened
  origin: Origin
  rows: readonly AlarmRow[]
  /** Of a picture: opens a faceplate of it. */
  face?: (item: string, action: Action) => void
  name: string
}
/** What a person may do on a picture or faceplate, and the dialogs that some of it needs. */
export const useActing = ({
  opened,
  origin,
  rows,
  face,
  name,
}: Needs): { shown: Opened; act: (action: Action, item: string) => void; dialogs: ReactNode } => {
  const navigate = useNavigate()
  const here = useLocation()
  const [operates, acknowledges] = [useMay('m10125.operate'), useMay('m10201.acknowledge')]
  const [acting, setActing] = useState<Acting>()
  const shown = useMemo(() => offered(opened, { operates, acknowledges, isFace: !face }), [opened, operates, acknowledges, face])
  const { scene, inside } = useComposed(shown)
  const act = useMemo(
    () => (action: Action, item: string) => {
      const { do: does, picture, path, parameters } = action
      if (writing.includes(does) || does === 'acknowledge') setActing({ action, item })
      if (does === 'faceplate') face?.(item, action)
      if (does === 'open' && picture) navigate(ledTo(pictureAddress(picture, parameters), { name, to: `${here.pathname}${here.search}` }))
      if (does === 'link' && path) navigate(path)
    },
    [navigate, face, here, name],
  )
  const item = acting && scene.items.find(({ id }) => id === acting.item)
  const faced = origin.Face && opened.Flowchart.Id !== origin.Id ? [{ Id: opened.Flowchart.Id, Version: opened.Version }] : []
  const close = () => setActing(undefined)
  const dialogs = acting && (
    <Suspense>
      {acting.action.do === 'acknowledge' ? (
        <AckDialog rows={alarmsOf(item, opened, rows)} close={close} />
      ) : (
        <ActDialog {...acting} opened={opened} origin={origin} inside={[...faced, ...(inside.get(acting.item) ?? [])]} close={close} />
      )}
    </Suspense>
  )
  return { shown, act, dialogs }
}
