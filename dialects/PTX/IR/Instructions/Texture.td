//===- Texture.td - Textures, samplers and surfaces ----------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TEXTURE_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TEXTURE_TD

include "PTX/IR/PTXSets.td"

class PTX_TextureInst<string opcode, list<PTX_Flag> instFlags,
                      list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "Texture Instructions";
  let ptxForms = forms;
}

//===----------------------------------------------------------------------===//
// Fetches
//===----------------------------------------------------------------------===//

/// The forms of one way to choose the level of detail: `mode` is its modifier,
/// `level` what stands behind the address for it; `result` the slots and the
/// operand of the result. Offsets and a value to compare with may follow,
/// depending on the geometry.
class PTX_TexForms<string mode, string level, string cubeLevel, string vec,
                   string dtype, string result, string version,
                   list<string> sm> {
  defvar types = " " # vec # " " # dtype # " ct=";
  defvar head = mode # "geom=.";
  defvar cubeVersion = !if(!eq(mode, ".grad "), "4.3", version);
  /// Of offsets and of values to compare with.
  defvar newer = !if(!eq(version, "7.1"), version, "4.3");
  defvar offsetSm = !if(!empty(sm), PTX_SM30, sm);
  defvar at = result # ", [texref a,c:ct*@tex_coordinates+^]";
  list<PTX_Form> forms = [
    PTX_Form<head # "{1d|2d|a1d|a2d}" # types # ".f32",
             at # level # ", offset:s32*@tex_directions+^, compare:f32?",
             newer, offsetSm>,
    PTX_Form<head # "{1d|2d|a1d|a2d}" # types # ".f32",
             at # level # ", compare:f32", newer, offsetSm>,
    PTX_Form<head # "{1d|2d|a1d|a2d}" # types # ".s32",
             at # level # ", offset:s32*@tex_directions+^", newer, offsetSm>,
    PTX_Form<head # "3d" # types # ".{s32|f32}",
             at # level # ", offset:s32*4", newer, offsetSm>,
    PTX_Form<head # "{1d|2d|3d|a1d|a2d}" # types # ".{s32|f32}", at # level,
             version, sm>,
    PTX_Form<head # "{cube|acube}" # types # ".f32",
             at # cubeLevel # ", compare:f32", newer, offsetSm>,
    PTX_Form<head # "{cube|acube}" # types # ".f32", at # cubeLevel,
             cubeVersion, sm>];
}

/// Forms with one sample of several have no levels.
class PTX_TexSampleForms<string mode, string vec, string dtype, string result,
                         string version, list<string> sm> {
  list<PTX_Form> forms = [
    PTX_Form<mode # "geom=.{2dms|a2dms} " # vec # " " # dtype # " ct=.s32",
             result # ", [texref a,c:ct*@tex_coordinates], "
             "offset:s32*2+^?", version, !if(!empty(sm), PTX_SM30, sm)>];
}

/// `version` is that of the result: a predicate behind it is newer.
class PTX_TexAllForms<string vec, string dtype, string result,
                      string version, list<string> sm> {
  list<PTX_Form> forms = !listconcat(
    PTX_TexForms<"", "", "", vec, dtype, result, version, sm>.forms,
    PTX_TexForms<".base ", "", "", vec, dtype, result, version, sm>.forms,
    PTX_TexForms<".level ", ", lod:ct", ", lod:ct", vec, dtype, result,
                 version, sm>.forms,
    PTX_TexForms<".grad ",
                 ", dPdx:f32*@tex_directions, dPdy:f32*@tex_directions",
                 ", dPdx:f32*1+, dPdy:f32*1+", vec, dtype, result,
                 version, sm>.forms,
    PTX_TexSampleForms<"", vec, dtype, result, version, sm>.forms,
    PTX_TexSampleForms<".base ", vec, dtype, result, version, sm>.forms);
}

defvar PTX_TexTypes = "t=.{u32|s32|f16|f32}";
def PTX_TexOp : PTX_TextureInst<"tex", [PTX_MemRead], !listconcat(
  PTX_TexAllForms<".v4", PTX_TexTypes, "=d:t*4", "1.0", []>.forms,
  PTX_TexAllForms<".v2", "t=.f16x2", "=d:t*2", "4.2", PTX_SM53>.forms,
  PTX_TexAllForms<".v4", PTX_TexTypes, "=d:t*4|p!_", "7.1", PTX_SM60>.forms,
  PTX_TexAllForms<".v2", "t=.f16x2", "=d:t*2|p!_", "7.1", PTX_SM60>.forms)> {
  let ptxNeeds = [PTX_Needs<["f16"], "4.2", PTX_SM53>,
                  PTX_Needs<["base", "level", "grad", "acube"], "2.0",
                            PTX_SM20>];
}

class PTX_Tld4Forms<string result, string version, list<string> sm,
                    list<string> arraySm> {
  defvar newer = !if(!eq(version, "7.1"), version, "4.3");
  defvar at = result # ", [texref a,c:ct*@tex_coordinates+^]";
  list<PTX_Form> forms = [
    PTX_Form<"component=.{r|g|b|a} geom=.{2d|a2d} .v4 t=.{u32|s32|f32} ct=.f32",
             at # ", offset:s32*2+^, compare:f32?", newer, arraySm>,
    PTX_Form<"component=.{r|g|b|a} geom=.{2d|a2d} .v4 t=.{u32|s32|f32} ct=.f32",
             at # ", compare:f32?", newer, arraySm>,
    PTX_Form<"component=.{r|g|b|a} geom=.2d .v4 t=.{u32|s32|f32} ct=.f32", at,
             version, sm>,
    PTX_Form<"component=.{r|g|b|a} geom=.{cube|acube} .v4 t=.{u32|s32|f32} "
             "ct=.f32", at # ", compare:f32?", newer, arraySm>];
}
def PTX_Tld4Op : PTX_TextureInst<"tld4", [PTX_MemRead], !listconcat(
  PTX_Tld4Forms<"=d:t*4", "1.0", PTX_SM20, PTX_SM30>.forms,
  PTX_Tld4Forms<"=d:t*4|p!_", "7.1", PTX_SM60, PTX_SM60>.forms)>;

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

def PTX_TxqOp : PTX_TextureInst<"txq", [PTX_MemRead], [
  PTX_Form<"query=.{width|height|depth|channel_data_type|channel_order|"
           "normalized_coords|array_size|num_mipmap_levels|num_samples} t=.b32",
           "=d:t, [texref a]">,
  PTX_Form<"query=.{filter_mode|addr_mode_0|addr_mode_1|addr_mode_2} t=.b32",
           "=d:t, [texref a]">,
  PTX_Form<"query=.{filter_mode|addr_mode_0|addr_mode_1|addr_mode_2|"
           "force_unnormalized_coords} t=.b32", "=d:t, [samplerref a]">,
  PTX_Form<".level query=.{width|height|depth} t=.b32",
           "=d:t, [texref a], lod:u32", "4.3", PTX_SM30>]> {
  let ptxNeeds = [PTX_Needs<["array_size"], "4.1">,
                  PTX_Needs<["num_mipmap_levels"], "4.0", PTX_SM20>,
                  PTX_Needs<["num_samples"], "4.0", PTX_SM30>];
}

def PTX_IstypepOp : PTX_TextureInst<"istypep", [PTX_Pure], [
  PTX_Form<".{texref|samplerref|surfref}", "=p:pred, a:b64", "4.0",
           PTX_SM30>]>;

//===----------------------------------------------------------------------===//
// Surfaces
//===----------------------------------------------------------------------===//

class PTX_SurfaceInst<string opcode, list<PTX_Flag> instFlags,
                      list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "Surface Instructions";
  let ptxForms = forms;
}

/// Accesses: `unit` says whether they take bytes or samples, and coordinates
/// count those; `before` and `behind` are the operands around the address.
class PTX_SurfaceForm<string unit, string cache, string data, string before,
                      string behind, string geometries = "1d|2d|3d|a1d|a2d",
                      string clamp = ".{trap|clamp|zero}",
                      list<PTX_Needs> needs = []>
    : PTX_Form<unit # " geom=.{" # geometries # "} " # cache # " " # data #
               " " # clamp,
               before # "[surfref a,c*@tex_coordinates+^]" # behind, "1.0",
               PTX_SM20, needs>;

def PTX_SuldOp : PTX_SurfaceInst<"suld", [PTX_MemRead], [
  PTX_SurfaceForm<".b", ".{ca|cg|cs|cv}?", "vec=.{v2|v4}? t=.{b8|b16|b32}",
                  "=d:t*vec~{}, ", "">,
  PTX_SurfaceForm<".b", ".{ca|cg|cs|cv}?", "vec=.v2? t=.b64", "=d:t*vec~{}, ",
                  "">]>;
def PTX_SustOp : PTX_SurfaceInst<"sust", [PTX_MemWrite], [
  PTX_SurfaceForm<".b", ".{wb|cg|cs|wt}?", "vec=.{v2|v4}? t=.{b8|b16|b32}", "",
                  ", b:t*vec~{}">,
  PTX_SurfaceForm<".b", ".{wb|cg|cs|wt}?", "vec=.v2? t=.b64", "",
                  ", b:t*vec~{}">,
  PTX_SurfaceForm<".p", ".{wb|cg|cs|wt}?", "vec=.{v2|v4}? t=.b32", "",
                  ", b:t*vec~{}", "1d|2d|3d|a1d|a2d", ".{trap|clamp|zero}",
                  [PTX_Needs<["a1d", "a2d"], "4.1", PTX_SM30>]>]>;

class PTX_SuredForm<string mods, string types, string version = "3.0">
    : PTX_SurfaceForm<mods, "", "t=.{" # types # "}", "", ", b:t", "1d|2d|3d"> {
  let minVersion = version;
}
class PTX_SuredWideForm<string mods, string types>
    : PTX_SuredForm<mods, types, "8.1"> {
  let targets = ["sm_50"];
}
def PTX_SuredOp : PTX_SurfaceInst<"sured", [PTX_MemRead, PTX_MemWrite], [
  PTX_SuredForm<".b op=.add", "u32|s32|u64">,
  PTX_SuredForm<".b op=.{min|max}", "u32|s32">,
  PTX_SuredWideForm<".b op=.{min|max}", "u64|s64">,
  PTX_SuredForm<".{b|p} op=.{and|or}", "b32">,
  PTX_SuredForm<".p op=.add", "b32">,
  PTX_SuredForm<".p op=.{min|max}", "b32">,
  PTX_SuredWideForm<".p op=.{min|max}", "b64">]>;
def PTX_SuqOp : PTX_SurfaceInst<"suq", [PTX_MemRead], [
  PTX_Form<"query=.{width|height|depth|channel_data_type|channel_order|"
           "array_size|memory_layout} t=.b32", "=d:t, [surfref a]">]> {
  let ptxNeeds = [PTX_Needs<["array_size"], "4.1">,
                  PTX_Needs<["memory_layout"], "4.2">];
}

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TEXTURE_TD
