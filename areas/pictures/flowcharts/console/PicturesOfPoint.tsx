import './picture.css'
import { Link } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { flowchart, flowchartCalls } from '../contract.ts'

/** The pictures that show or write a point. */
export const PicturesOfPoint = ({ id }: { id: number }) => {
  const t = useWords()
  const draws = useMay('m10130.edit')
  const { data, error, refetch } = useCall(flowchartCalls.byPoint, { query: { ParaId: id }, of: [flowchart.name, 'point'] })
  if (error) return <Failure fault={error} retry={() => refetch()} />
  if (!data) return null
  return (
    <Page title={t('menu.m10125')}>
      <div className="picture-of-point">
        <h2>{t('pictures.ofPoint', { name: `${data.DeviceName} · ${data.ParaName}` })}</h2>
        <Link to="/projectManagement/pictures">{t('pictures.all')}</Link>
      </div>
      {!data.Pictures.length && <EmptyList text={t('pictures.ofPointNone')} />}
      <div className="picture-cards">
        {data.Pictures.map(({ Id, FlowchartName, ProjectName, Shown, Drawn }) => (
          <div key={Id} className="picture-card">
            <strong>{FlowchartName}</strong>
            <span className="soft">{ProjectName}</span>
            <span className="picture-card-links">
              {Shown && <Link to={`/projectDetailsManagement/flowChart/${Id}?point=${id}`}>{t('pictures.open')}</Link>}
              {Drawn && draws && <Link to={`/projectManagement/configEditor?Id=${Id}`}>{t('pictures.edit')}</Link>}
              {!Shown && <span className="soft">{t('pictures.onlyDraft')}</span>}
            </span>
          </div>
        ))}
      </div>
      {data.More && <p className="soft">{t('pictures.ofPointMore', { most: data.Pictures.length })}</p>}
    </Page>
  )
}
