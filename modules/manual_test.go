package modules

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pinch/salt"
)

var update = flag.Bool("update", false, "rewrite the README.md of every module")

// TestManual keeps each module's README.md equal to its declarations and
// comments: a function or an argument without a comment fails.
func TestManual(t *testing.T) {
	for _, m := range All {
		t.Run(m.Name, func(t *testing.T) {
			path := m.Name + "/README.md"
			want := manual(t, m)
			if *update {
				if err := os.WriteFile(path, want, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
				t.Errorf("%s is stale: run go test ./modules -run TestManual -update", path)
			}
		})
	}
}

// manual is the page of a module: its package comment, then each state and
// each execution function with its arguments.
func manual(t *testing.T, m *salt.Module) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n", m.Name)
	src := source(t, m.Name)
	if src.doc == "" {
		t.Errorf("%s: the package has no comment", m.Name)
	}
	fmt.Fprintf(&b, "\n%s", markdown(src.doc))
	for _, kind := range []struct {
		title string
		funcs salt.Funcs
	}{{"States", m.Functions("states")}, {"Execution functions", m.Functions("exec")}} {
		if len(kind.funcs) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n", kind.title)
		for _, name := range slices.Sorted(maps.Keys(kind.funcs)) {
			src.function(t, &b, m.Name+"."+name, kind.funcs[name])
		}
	}
	return b.Bytes()
}

// A pack is the source of a package as far as manuals need it.
type pack struct {
	doc     string
	funcs   map[string]*ast.FuncDecl
	structs map[string]*ast.StructType
}

func source(t *testing.T, dir string) pack {
	p := pack{funcs: map[string]*ast.FuncDecl{}, structs: map[string]*ast.StructType{}}
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no source: %v", dir, err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.doc = cmp.Or(p.doc, f.Doc.Text())
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					p.funcs[d.Name.Name] = d
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if ts, ok := s.(*ast.TypeSpec); ok {
						if st, ok := ts.Type.(*ast.StructType); ok {
							p.structs[ts.Name.Name] = st
						}
					}
				}
			}
		}
	}
	return p
}

// function writes the section of one function.
func (p pack) function(t *testing.T, b *bytes.Buffer, name string, fn *salt.Func) {
	full := runtime.FuncForPC(reflect.ValueOf(fn.Go).Pointer()).Name()
	d := p.funcs[full[strings.LastIndexByte(full, '.')+1:]]
	if d == nil || d.Doc.Text() == "" {
		t.Errorf("%s: %s has no doc comment", name, full)
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n    %s%s\n\n%s", name, name, declaration(fn.Signature()), markdown(rename(d.Doc.Text(), d.Name.Name, name)))
	params := fn.Signature().Params
	if len(params) == 0 {
		return
	}
	id, ok := d.Type.Params.List[1].Type.(*ast.Ident)
	if !ok || p.structs[id.Name] == nil {
		t.Errorf("%s: its arguments are no struct of the package", name)
		return
	}
	docs := fields(p.structs[id.Name])
	fmt.Fprint(b, "\n| argument | default | meaning |\n|---|---|---|\n")
	for _, a := range params {
		doc := docs[a.Field]
		if doc == "" {
			t.Errorf("%s: argument %s has no comment", name, a.Name)
		}
		def := "required"
		if !a.Required {
			def = "`" + a.Default + "`"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", a.Name, cell(def), cell(doc))
	}
}

// rename puts the function's name into the sentence that begins with that of
// the Go function.
func rename(doc, from, to string) string {
	if rest, ok := strings.CutPrefix(doc, from+" "); ok {
		return "`" + to + "` " + rest
	}
	return doc
}

// fields are the comments of a struct's fields.
func fields(s *ast.StructType) map[string]string {
	docs := map[string]string{}
	for _, f := range s.Fields.List {
		doc := strings.Join(strings.Fields(f.Comment.Text()+" "+f.Doc.Text()), " ")
		for _, n := range f.Names {
			docs[n.Name] = doc
		}
	}
	return docs
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// markdown turns a doc comment into Markdown: code is indented by a tab.
func markdown(doc string) string {
	return strings.ReplaceAll(strings.ReplaceAll("\n"+doc, "\n\t", "\n    "), "\t", "    ")[1:]
}

// TestDoc checks that the program carries the manual of every module.
func TestDoc(t *testing.T) {
	for _, m := range All {
		if !strings.HasPrefix(Doc(m.Name), "# "+m.Name+"\n") {
			t.Errorf("no manual of %s", m.Name)
		}
	}
	if Doc("nosuch") != "" {
		t.Error("a manual of a module that is not there")
	}
	pages, err := fs.Glob(manuals, "*/README.md")
	if err != nil || len(pages) < len(All) {
		t.Errorf("%d manuals of %d modules: %v", len(pages), len(All), err)
	}
}
