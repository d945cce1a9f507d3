// One record of each kind of the maintenance centre, made through the front door.
type Make = (path: string, draft: object) => Promise<{ Id: number }>

export const addMaintenance = async (make: Make, { name, ModelId }: { name: string; ModelId: number }) => {
  const place = await make('/Maintenance/MtnPlace', { PlaceName: `${name} store` })
  const part = await make('/Maintenance/MtnComponent', { ComponentName: `${name} part`, ComponentNo: `${name} 1`, MinQty: 5 })
  await make('/Maintenance/MtnComponent/TakeIn', { Id: part.Id, PlaceId: place.Id, Qty: 2, Remark: name })
  await make('/Maintenance/MtnComponent/ComponentCompoInfo', { DeviceModelId: ModelId, ComponentId: part.Id })
}
