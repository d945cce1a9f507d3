// One record of each kind of dosing, made through the front door.

type Make = (path: string, draft: object) => Promise<{ Id: number }>

export const addDosing = async (make: Make, { name, project, code }: { name: string; project: number; code: string }) => {
  const { Id } = await make('/Drug/Info', { DrugName: `${name} chemical`, DrugCode: code, ProjectId: project, Remark: name })
  const entry = await make('/Drug/InfoData', { DrugInfoId: Id, DataTime: '2026-01-31 00:00:00', Value: 5, WaterValue: 400, Remark: name })
  const delivery = await make('/Drug/Delivery', { DrugInfoId: Id, DeliverTime: '2026-01-30 09:00:00', BatchNo: `${name} batch`, Qty: 9 })
  return { drugInfo: Id, drugInfoData: entry.Id, drugDelivery: delivery.Id }
}
