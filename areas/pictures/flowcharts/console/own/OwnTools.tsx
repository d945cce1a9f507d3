import './own.css'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../../../console/session/session.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { OwnSymbol } from '../../../../../contract/picture/drawing.ts'
import { outdated, updated } from '../editor/ownSymbols.ts'
import type { Editor } from '../editor/useEditor.ts'

const SymbolDialog = lazy(() => import('./SymbolDialog.tsx'))
const SymbolsDialog = lazy(() => import('./SymbolsDialog.tsx'))

/** Tools for own symbols in the palette: create from a file, manage, and update changed ones. */
export const OwnTools = ({ editor, own, company }: { editor: Editor; own: readonly OwnSymbol[]; company: number }) => {
  const t = useWords()
  const adds = useMay('m10130.add')
  const [dialog, setDialog] = useState<'svg' | 'manage'>()
  const { scene, change } = editor
  const changed = outdated(scene, own)
  const close = () => setDialog(undefined)
  return (
    <div className="own-tools">
      {!own.length && <p className="soft">{t('empty.pictureSymbol')}</p>}
      {changed.length > 0 && (
        <>
          <p className="soft">{t('own.changed', { count: changed.length })}</p>
          <Button size="small" onClick={() => change('set', (now) => updated(now, own))}>
            {t('own.update')}
          </Button>
        </>
      )}
      {adds && (
        <Button size="small" onClick={() => setDialog('svg')}>
          {t('own.fromSvg')}
        </Button>
      )}
      <Button size="small" onClick={() => setDialog('manage')}>
        {t('own.manage')}
      </Button>
      <Suspense>
        {dialog === 'svg' && <SymbolDialog company={company} close={close} />}
        {dialog === 'manage' && <SymbolsDialog own={own} company={company} close={close} />}
      </Suspense>
    </div>
  )
}
