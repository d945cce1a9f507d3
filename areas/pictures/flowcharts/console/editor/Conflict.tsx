import './conflict.css'
import { Button, Modal } from 'antd'
import { useEffect, useRef } from 'react'
import { language, useWords } from '../../../../../console/words/words.ts'
import { paintScene } from '../../../../../contract/picture/paint.ts'
import type { Scene } from '../../../../../contract/picture/scene.ts'
import { sceneChanges } from '../../../../../contract/picture/sceneChanges.ts'
import { brushFor } from '../../brush.ts'
import { build } from '../engine/dom.ts'
import { useSymbols } from '../PictureView.tsx'
import { useChanges } from '../useChanges.ts'

const Still = ({ scene, label }: { scene: Scene; label: string }) => {
  const box = useRef<HTMLDivElement>(null)
  const symbols = useSymbols(scene)
  useEffect(() => {
    if (symbols) box.current?.replaceChildren(build(paintScene(scene, () => ({}), brushFor(scene, symbols, language()))))
  }, [scene, symbols])
  return <div ref={box} className="edit-side" role="img" aria-label={label} />
}

type Props = { mine: Scene; theirs: Scene; takeTheirs: () => void; saveMine: () => void; close: () => void }
/** Conflict of two edits of a draft: shows both and lets the user choose. */
export const Conflict = ({ mine, theirs, takeTheirs, saveMine, close }: Props) => {
  const t = useWords()
  const said = useChanges()
  const buttons = [
    <Button key="theirs" onClick={takeTheirs}>
      {t('edit.theirs')}
    </Button>,
    <Button key="mine" type="primary" onClick={saveMine}>
      {t('edit.mine')}
    </Button>,
  ]
  return (
    <Modal open width={1000} title={t('edit.bothSides')} footer={buttons} onCancel={close}>
      <div className="edit-sides">
        <section>
          <h2>{t('edit.side.theirs')}</h2>
          <Still scene={theirs} label={t('edit.side.theirs')} />
        </section>
        <section>
          <h2>{t('edit.side.mine')}</h2>
          <Still scene={mine} label={t('edit.side.mine')} />
          <p className="soft">{said(sceneChanges(theirs, mine)) || t('edit.side.frame')}</p>
        </section>
      </div>
    </Modal>
  )
}
